# Runs the functions a file of scalars declares, the way they were run before.
# Reads {"archivo", "llamadas": [[name, [args]]]} and writes a result a line.
import json
import math
import sys
import types

registro = {}


def escalar(nombre, unidad="", unidades_argumentos=()):
    def decora(f):
        registro[nombre] = f
        return f
    return decora


oracle = types.ModuleType("oracle")
oracle.escalar = escalar
sys.modules["oracle"] = oracle

pedido = json.load(sys.stdin)
codigo = compile(open(pedido["archivo"], encoding="utf-8").read(), pedido["archivo"], "exec")
exec(codigo, {"__name__": "escalares"})

for nombre, args in pedido["llamadas"]:
    try:
        v = registro[nombre](*args)
        if v is not None and type(v) not in (bool, int, float, str):
            raise TypeError("no es un escalar")
        if type(v) is float and not math.isfinite(v):
            raise ValueError("no finito")
        print(json.dumps({"tipo": type(v).__name__, "valor": v}))
    except Exception as e:
        print(json.dumps({"error": type(e).__name__ + ": " + str(e)[:100]}))
