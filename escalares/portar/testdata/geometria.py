"""Escalares geométricas del taller.

Las unidades van en centímetros.
"""
from __future__ import annotations

import math
from typing import Optional, Union

from oracle import escalar

Numero = Union[int, float]

# Tolerancia de apoyo.
TOLERANCIA: float = 0.05
EJES = ("x", "y", "z")
LIMITES = {"mesa": 120, "estante": 45.5, "caja": 30}


def _lado(h: dict, eje: str) -> Numero:
    """El lado de una pieza en un eje."""
    return h["a" + eje]


def acotar(x, minimo, maximo):
    return max(minimo, min(maximo, x))


@escalar("penetracion", "cm", ("pieza", "pieza"))
def penetracion(a: dict, b: dict) -> float:
    """Cuánto se mete una pieza en otra; cero si no se tocan."""
    solapes = []
    for eje in EJES:
        desde = max(a[eje], b[eje])
        hasta = min(a[eje] + _lado(a, eje), b[eje] + _lado(b, eje))
        if hasta - desde <= TOLERANCIA:
            return 0.0  # no se tocan en este eje
        solapes.append(hasta - desde)
    return min(solapes)


@escalar(nombre="volumen", unidad="cm3")
def volumen(h: dict) -> Numero:
    v = 1
    for eje in EJES:
        v *= h[f"a{eje}"]
    return v


@escalar("distancia2", "cm2", unidades_argumentos=("cm", "cm", "cm", "cm"))
def distancia_al_cuadrado(x1: float, y1: float, x2: float, y2: float) -> float:
    return (x1 - x2) ** 2 + (y1 - y2) ** 2


@escalar("distancia", "cm")
def distancia(x1, y1, x2, y2):
    return math.sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2)


@escalar("desvio", unidad="cm")
def desvio(a: float, b: float, tolerancia: float = 0.5) -> float:
    d = math.fabs(a - b)
    return d if d > tolerancia else 0


@escalar("dentro")
def dentro(x, minimo, maximo):
    return minimo <= x <= maximo


@escalar("fraccion")
def fraccion(parte, total):
    if total == 0:
        return 0
    return acotar(parte / total, 0, 1)


@escalar("cae")
def cae(h: dict) -> bool:
    centro = h["x"] + h["ax"] / 2
    return not all(-1 < centro - k < 200 for k in (0, 1.5, 3)) or any(h[e] < 0 for e in EJES)


@escalar("piso_de_grilla")
def piso_de_grilla(x, paso=5):
    return x // paso * paso


@escalar("resto_de_grilla")
def resto_de_grilla(x, paso):
    return x % paso


@escalar("redondo", "cm")
def redondo(x: float) -> float:
    return round(x, 2)


@escalar("entero_mas_cercano")
def entero_mas_cercano(x):
    return round(x)


@escalar("escalon")
def escalon(x: float) -> int:
    return math.floor(x) if x >= 0 else -math.ceil(-x)


@escalar("lado_mayor")
def lado_mayor(h: dict) -> str:
    return max(EJES, key=lambda e: h["a" + e])


@escalar("angulo")
def angulo(grados):
    return math.radians(grados % 360)


@escalar("casi_igual")
def casi_igual(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)


@escalar("excede")
def excede(lugar: str, alto) -> Optional[bool]:
    limite = LIMITES.get(lugar)
    if limite is None:
        return None
    return alto > limite


@escalar("signo")
def signo(x):
    return (x > 0) - (x < 0)


@escalar("cubo")
def cubo(x):
    return x ** 3


@escalar("polinomio")
def polinomio(x):
    return sum(c * x ** 2 - c for c in [1, 2.5, 3])


if __name__ == "__main__":
    print(volumen({"ax": 1, "ay": 2, "az": 3}))
