from oracle import escalar as registrar
from math import floor, pi

IVA = 0.21
TRAMOS = [(0, 1000, 0.0), (1000, 5000, 0.1), (5000, 20_000, 0.25)]


def con_iva(neto):
    return neto * (1 + IVA)


def promedio(*xs):
    if len(xs) == 0:
        raise ValueError("sin datos")
    return sum(xs) / len(xs)


@registrar("total", "ARS")
def total(neto, cantidad):
    assert cantidad >= 0, f"cantidad {cantidad}"
    return round(con_iva(neto) * cantidad, 2)


@registrar("impuesto", unidad="ARS")
def impuesto(ingreso):
    debe = 0
    for desde, hasta, tasa in TRAMOS:
        if ingreso <= desde:
            break
        base = min(ingreso, hasta) - desde
        debe += base * tasa
    return debe


@registrar("media")
def media(a, b, c):
    return promedio(a, b, c)


@registrar("mediana")
def mediana(*xs):
    orden = sorted(xs)
    n = len(orden)
    if n == 0:
        raise ValueError
    medio = n // 2
    if n % 2 == 1:
        return orden[medio]
    return (orden[medio - 1] + orden[medio]) / 2


@registrar("cuantos_si")
def cuantos_si(a, b, c, d):
    return a + b + c + d


@registrar("todas_iguales")
def todas_iguales(a, b, c):
    return a == b == c


@registrar("es_uno")
def es_uno(x):
    return x == 1


@registrar("en_lista")
def en_lista(x):
    return x in [0, 1, 2, "tres"]


@registrar("area_de_circulo")
def area(r):
    return pi * r ** 2


@registrar("digitos")
def digitos(n):
    cuenta = {}
    for c in str(abs(n)):
        cuenta[c] = cuenta.get(c, 0) + 1
    mejor = max(cuenta.items(), key=lambda kv: (kv[1], kv[0]))
    return mejor[0]


@registrar("suma_de_cuadrados")
def suma_de_cuadrados(n):
    acumulado = 0
    for i in range(1, floor(abs(n)) % 50 + 1):
        if i % 3 == 0:
            continue
        acumulado += i * i
    return acumulado


@registrar("primero_mayor")
def primero_mayor(x):
    return next((h for _, h, t in TRAMOS if h > x), None)


@registrar("mayor_o_cero")
def mayor_o_cero(a, b):
    return max([x for x in (a, b) if x > 10], default=0)


@registrar("compuesta")
def compuesta(a, b):
    f = lambda x, k=2: x * k + 1
    x, y = f(a), f(b, k=3)
    x, y = y, x
    return x - y if a != b else None


@registrar("potencias")
def potencias(x):
    return x ** 4 - 2 * x ** 3 + x ** 2 - x ** 1 + x ** 0


@registrar("decenas")
def decenas(n, k):
    return round(n, k)


@registrar("bits")
def bits(a, b):
    return -a // b if b else a % 7


@registrar("por_ano")
def por_año(tamaño, años=2):
    """Con eñes, \"comillas\" y \\ barras."""
    return tamaño / años
