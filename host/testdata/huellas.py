"""Recomputes fingerprints straight from the specification, with nothing of ours.

Reads a JSON list of jobs from stdin and prints one SHA-256 a line:

    ["proyecto", root, [path…]]   huella_proyecto over those files
    ["archivos", root, [path…]]   fingerprint of the files under those paths
    ["entrada", object]           canonical JSON of the object
"""

import hashlib
import json
import os
import sys


def canonico(v):
    if isinstance(v, dict):
        return "{" + ",".join(canonico(k) + ":" + canonico(v[k]) for k in sorted(v)) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(canonico, v)) + "]"
    return json.dumps(v, ensure_ascii=False)


def leer(ruta):
    with open(ruta, "rb") as f:
        return f.read()


def bajo(raiz, rutas):
    for ruta in rutas:
        completa = os.path.join(raiz, ruta)
        if os.path.isfile(completa):
            yield ruta
        for donde, dirs, nombres in os.walk(completa):
            dirs[:] = [d for d in dirs if not d.startswith(".") and d != "__pycache__"]
            for n in nombres:
                if not n.startswith("."):
                    yield os.path.relpath(os.path.join(donde, n), raiz)


def proyecto(raiz, rutas):
    h = hashlib.sha256()
    for absoluta in sorted(os.path.join(raiz, r) for r in rutas):
        h.update(absoluta.encode() + b"\0" + leer(absoluta) + b"\0")
    return h.hexdigest()


def archivos(raiz, rutas):
    return entrada([
        {"ruta": r, "sha256": hashlib.sha256(leer(os.path.join(raiz, r))).hexdigest()}
        for r in sorted(bajo(raiz, rutas))
    ])


def entrada(objeto):
    return hashlib.sha256(canonico(objeto).encode()).hexdigest()


for orden, *args in json.load(sys.stdin):
    print({"proyecto": proyecto, "archivos": archivos, "entrada": entrada}[orden](*args))
