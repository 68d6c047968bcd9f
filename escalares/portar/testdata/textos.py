# Escalares sobre nombres y códigos.
import oracle

VOCALES = {"a", "e", "i", "o", "u"}
VALIDOS = frozenset(["alta", "media", "baja"])
PESOS = {
    "alta": 3,
    "media": 2,
    "baja": 1,
}
PREFIJO = 'OT-' "2024"


@oracle.escalar("largo")
def largo(texto):
    return len(texto)


@oracle.escalar("vocales")
def vocales(texto):
    return sum(1 for c in texto.lower() if c in VOCALES)


@oracle.escalar("iniciales")
def iniciales(nombre):
    return "".join(p[0] for p in nombre.split()).upper()


@oracle.escalar("prioridad")
def prioridad(p):
    if p not in VALIDOS:
        return -1
    return PESOS[p]


@oracle.escalar("etiqueta")
def etiqueta(area, numero):
    return f"{area}/{numero}"


@oracle.escalar("recorte")
def recorte(texto, n=3):
    return texto[:n] + ("…" if len(texto) > n else "")


@oracle.escalar("ultima")
def ultima(texto):
    if not texto:
        return None
    return texto[-1]


@oracle.escalar("al_reves")
def al_reves(texto):
    return texto[::-1]


@oracle.escalar("codigo_valido")
def codigo_valido(c):
    return c.startswith(PREFIJO) and c[len(PREFIJO):].strip().isdigit()


@oracle.escalar("posicion")
def posicion(texto, aguja):
    return texto.find(aguja)


@oracle.escalar("palabras")
def palabras(texto):
    return len(texto.split())


@oracle.escalar("distintas")
def distintas(texto):
    return len(set(texto.split()))


@oracle.escalar("limpio")
def limpio(texto):
    return texto.strip().replace("  ", " ")


@oracle.escalar("describe")
def describe(x):
    if isinstance(x, bool):
        return "booleano"
    elif isinstance(x, (int, float)):
        return "número " + str(x)
    elif isinstance(x, str):
        return "texto de " + str(len(x))
    return "nada"


@oracle.escalar("numero_de")
def numero_de(texto):
    t = texto.strip()
    if t and t[0] in ("+", "-"):
        t = t[1:]
    if not t.isdigit():
        return 0
    return int(texto)


@oracle.escalar("si_no")
def si_no(x):
    return {True: "sí", False: "no"}[bool(x)]


@oracle.escalar("mayusculas")
def mayusculas(t):
    return t.upper()


@oracle.escalar("minusculas")
def minusculas(t):
    return t.lower()


@oracle.escalar("clases")
def clases(t):
    return f"{t.isdigit()} {t.isalpha()} {t.isalnum()} {t.isupper()} {t.islower()}"
