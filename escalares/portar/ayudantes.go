package portar

import "strings"

// A ported file carries, written in it, the helpers it needs: each says in
// Starlark what one thing means in Python where the two differ. «py_» in their
// text is the prefix, which changes when the file uses it.

// ayudante is one helper: its name without the prefix, the others it calls, and
// whether it needs math.
type ayudante struct {
	nombre string
	usa    []string
	math   bool
	texto  string
}

// ayudantes returns them in the order they are written.
func ayudantes() []ayudante {
	return []ayudante{
		{nombre: "num", texto: `
def py_num(x):
    # Un booleano vale como número; lo demás queda como está.
    return int(x) if type(x) == "bool" else x
`},
		{nombre: "iter", texto: `
def py_iter(x):
    # Un texto se recorre de a un carácter.
    return list(x.codepoints()) if type(x) == "string" else x
`},
		{nombre: "largo", texto: `
def py_largo(x):
    # El largo de un texto es en caracteres, no en bytes.
    return len(list(x.codepoints())) if type(x) == "string" else len(x)
`},
		{nombre: "indice", texto: `
def py_indice(x, i):
    if type(x) == "string":
        return list(x.codepoints())[int(i) if type(i) == "bool" else i]
    if type(i) == "bool" and (type(x) != "dict" or i not in x):
        i = int(i)
    return x[i]
`},
		{nombre: "corte", texto: `
def py_corte(x, desde, hasta, paso):
    if type(x) == "string":
        return "".join(list(x.codepoints())[desde:hasta:paso])
    return x[desde:hasta:paso]
`},
		{nombre: "razon", usa: []string{"finito"}, texto: `
def py_razon(n, d):
    # Dos enteros divididos, redondeados una sola vez.
    negativo = (n < 0) != (d < 0)
    n, d = abs(n), abs(d)
    corre = 0
    for _ in range(20):
        if n == 0 or n >= d << 100:
            break
        n, corre = n << 400, corre - 400
    q = (n // d) | (1 if n % d else 0)
    for _ in range(20):
        if q < 1 << 500 << 100:
            break
        q, corre = (q >> 400) | (1 if q & ((1 << 400) - 1) else 0), corre + 400
    r = float(q)
    for _ in range(abs(corre)):
        r = r * 2.0 if corre > 0 else r / 2.0
    if q != 0 and r < 2.2250738585072014e-308:
        fail("un cociente tan chico no se porta")
    return py_finito(-r if negativo else r)
`},
		{nombre: "div", usa: []string{"num", "razon"}, texto: `
def py_div(a, b):
    a, b = py_num(a), py_num(b)
    if type(a) == "int" and type(b) == "int" and b != 0 and max(abs(a), abs(b)) > 9007199254740992:
        return py_razon(a, b)
    return a / b
`},
		{nombre: "piso", usa: []string{"num"}, math: true, texto: `
def py_piso(a, b):
    a, b = py_num(a), py_num(b)
    if type(a) == "int" and type(b) == "int":
        return a // b
    a, b = a * 1.0, b * 1.0
    if b == 0.0:
        fail("división por cero")
    resto = math.mod(a, b)
    d = (a - resto) / b
    if resto != 0.0 and (b < 0.0) != (resto < 0.0):
        d -= 1.0
    if d == 0.0:
        return math.copysign(0.0, a / b)
    p = float(math.floor(d))
    return p + 1.0 if d - p > 0.5 else p
`},
		{nombre: "resto", usa: []string{"num"}, math: true, texto: `
def py_resto(a, b):
    a, b = py_num(a), py_num(b)
    if type(a) == "string":
        fail("el formato de un texto con % no se porta")
    r = a % b
    return math.copysign(0.0, b) if type(r) == "float" and r == 0.0 else r
`},
		{nombre: "potencia", usa: []string{"num", "finito"}, texto: `
def py_potencia(x, n):
    x = py_num(x)
    if type(x) != "int" and type(x) != "float":
        fail("una potencia de algo que no es un número")
    r = 1 if type(x) == "int" else 1.0
    if type(x) == "int" or n < 3:
        for _ in range(n):
            r = r * x
        return py_finito(r) if type(r) == "float" else r

    if x == 0.0:
        return x if n % 2 == 1 else 0.0

    # El valor exacto como entero por una potencia de dos, redondeado una vez.
    m, e = abs(py_finito(x)), 0
    for _ in range(1100):
        if m == float(int(m)):
            break
        m, e = m * 2.0, e + 1
    exacto, corre = 1, -e * n
    for _ in range(n):
        exacto = exacto * int(m)
    for _ in range(n * 3):
        if exacto < 1 << 500 << 100:
            break
        exacto = (exacto >> 400) | (1 if exacto & ((1 << 400) - 1) else 0)
        corre += 400
    r = float(exacto)
    for _ in range(abs(corre)):
        r = r * 2.0 if corre > 0 else r / 2.0
    if exacto != 0 and r < 2.2250738585072014e-308:
        fail("una potencia tan chica no se porta")
    return py_finito(-r if x < 0 and n % 2 == 1 else r)
`},
		{nombre: "redondear", usa: []string{"num"}, math: true, texto: `
def py_redondear(x):
    # Al entero más cercano; la mitad, al par.
    x = py_num(x)
    if type(x) == "int":
        return x
    n = math.floor(abs(x))
    r = abs(x) - n
    if r > 0.5 or (r == 0.5 and n % 2 == 1):
        n += 1
    return -n if x < 0 else n
`},
		{nombre: "redondear_a", usa: []string{"num", "redondear"}, math: true, texto: `
def py_redondear_a(x, n):
    # A n decimales, como el valor decimal exacto; la mitad, al par.
    x, n = py_num(x), py_num(n)
    if n == None:
        return py_redondear(x)
    if type(n) != "int" or n < -15 or n > 15:
        fail("redondear a tantas cifras no se porta")
    p = 1
    for _ in range(abs(n)):
        p = p * 10
    if type(x) == "int":
        if n >= 0:
            return x
        q, r = x // p, x % p
        return (q + 1 if 2 * r > p or (2 * r == p and q % 2 == 1) else q) * p
    if n < 0:
        fail("redondear un flotante a decenas no se porta")
    if abs(x) >= 4503599627370496.0:
        return x
    if abs(x) < 1e-18:
        return math.copysign(0.0, x)
    d = 1 << 120
    m = int(abs(x) * float(d)) * p
    q, r = m // d, m % d
    if 2 * r > d or (2 * r == d and q % 2 == 1):
        q += 1
    if q > 9007199254740992:
        return x
    return math.copysign(float(q) / float(p), x)
`},
		{nombre: "suma", usa: []string{"num", "iter"}, texto: `
def py_suma(xs, inicio = 0):
    total = inicio
    for x in py_iter(xs):
        total = total + py_num(x)
    return total
`},
		{nombre: "producto", usa: []string{"num", "iter"}, texto: `
def py_producto(xs, start = 1):
    total = start
    for x in py_iter(xs):
        total = total * py_num(x)
    return total
`},
		{nombre: "extremo", usa: []string{"iter"}, texto: `
def py_extremo(cual, xs, defecto, key = None):
    xs = list(py_iter(xs))
    if not xs:
        return defecto
    return cual(xs, key = key) if key else cual(xs)
`},
		{nombre: "primero", usa: []string{"iter"}, texto: `
def py_primero(xs, defecto):
    for x in py_iter(xs):
        return x
    return defecto
`},
		{nombre: "unicos", usa: []string{"num", "iter"}, texto: `
def py_unicos(xs):
    d = {}
    for x in py_iter(xs):
        d[py_num(x)] = True
    return list(d.keys())
`},
		{nombre: "en", usa: []string{"num"}, texto: `
def py_en(x, xs):
    if type(xs) == "list" or type(xs) == "tuple":
        x = py_num(x)
        for y in xs:
            if py_num(y) == x:
                return True
        return False
    return x in xs
`},
		{nombre: "es", texto: `
def py_es(x, *tipos):
    return type(x) in tipos
`},
		{nombre: "texto", texto: `
def py_texto(x):
    # Como str: un flotante, con las cifras y el exponente de Python.
    if type(x) == "string":
        return x
    if type(x) != "float":
        if type(x) in ("int", "bool", "NoneType"):
            return str(x)
        fail("escribir un valor de tipo %s no se porta" % type(x))
    s = str(x)
    if "n" in s:
        fail("un flotante no finito")
    if "e" not in s:
        return s
    mantisa, exponente = s.split("e")
    e = int(exponente[1:].lstrip("0") or "0")
    if exponente[0] == "-" or e >= 16:
        return s
    signo = "-" if mantisa[0] == "-" else ""
    cifras = mantisa.lstrip("-").replace(".", "")
    if len(cifras) <= e + 1:
        return signo + cifras + "0" * (e + 1 - len(cifras)) + ".0"
    return signo + cifras[:e + 1] + "." + cifras[e + 1:]
`},
		{nombre: "entero", usa: []string{"blancos"}, texto: `
def py_entero(x):
    if type(x) != "string":
        return int(x)
    s = x.strip(py_blancos)
    cifras = s[1:] if s[:1] in ("+", "-") else s
    if not cifras or cifras.strip("0123456789"):
        fail("«%s» no es un entero" % x)
    n = int(cifras.lstrip("0") or "0")
    return -n if s[0] == "-" else n
`},
		{nombre: "flotante", usa: []string{"blancos"}, texto: `
def py_flotante(x):
    if type(x) != "string":
        return float(x)
    s = x.strip(py_blancos)
    if not s or s.strip("0123456789+-.eE"):
        fail("«%s» no es un número" % x)
    return float(s)
`},
		{nombre: "trunc", usa: []string{"num"}, texto: `
def py_trunc(x):
    if type(py_num(x)) != "int" and type(x) != "float":
        fail("truncar algo que no es un número")
    return int(x)
`},
		{nombre: "finito", texto: `
def py_finito(x):
    # Donde Python da un error de dominio o de desborde, también acá.
    if x > 1.7976931348623157e308 or x < -1.7976931348623157e308:
        fail("fuera del dominio de la función, o desborde")
    return x
`},
		{nombre: "isclose", usa: []string{"num"}, texto: `
def py_isclose(a, b, rel_tol = 1e-09, abs_tol = 0.0):
    a, b = py_num(a), py_num(b)
    if rel_tol < 0 or abs_tol < 0:
        fail("las tolerancias no pueden ser negativas")
    a, b = a * 1.0, b * 1.0
    d = abs(b - a)
    return a == b or d <= abs(rel_tol * b) or d <= abs(rel_tol * a) or d <= abs_tol
`},
		{nombre: "posicion", usa: []string{"num"}, texto: `
def py_posicion(x, y):
    if type(x) == "string":
        i = x.find(y)
        if i >= 0:
            return len(list(x[:i].codepoints()))
    else:
        for i, v in enumerate(x):
            if py_num(v) == py_num(y):
                return i
    fail("no está lo que se busca")
`},
		{nombre: "buscar", texto: `
def py_buscar(x, y, ultimo = False):
    i = x.rfind(y) if ultimo else x.find(y)
    return i if i < 0 else len(list(x[:i].codepoints()))
`},
		{nombre: "contar", usa: []string{"num"}, texto: `
def py_contar(x, y):
    if type(x) == "string":
        return x.count(y)
    n = 0
    for v in x:
        if py_num(v) == py_num(y):
            n += 1
    return n
`},
		{nombre: "blancos", texto: `
# Lo que Python toma por espacio.
py_blancos = "\t\n\u000b\u000c\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
`},
		{nombre: "partir", texto: `
def py_partir(x):
    for c in ["\u001c", "\u001d", "\u001e", "\u001f"]:
        x = x.replace(c, " ")
    return x.split()
`},
		{nombre: "caja", texto: `
def py_caja(x, mayusculas):
    # Sólo los alfabetos en que los dos lenguajes coinciden.
    for c in x.codepoints():
        n = ord(c)
        if n >= 0x180 and not (0x2000 <= n and n < 0x20d0 or 0x2190 <= n and n < 0x2400 or 0x2500 <= n and n < 0x2c00 or
                               0x3000 <= n and n < 0xa000 or 0x1f000 <= n and n < 0x1fb00) or n in (0xb5, 0xdf, 0xff, 0x130, 0x131, 0x149, 0x17f):
            fail("cambiar mayúsculas de «%s» no se porta" % c)
    return x.upper() if mayusculas else x.lower()
`},
		{nombre: "clase", texto: `
def py_clase(x, cual):
    # Sólo los caracteres que los dos lenguajes clasifican igual.
    for c in x.codepoints():
        n = ord(c)
        if n >= 0x180 and not (0x2010 <= n and n < 0x2060 or 0x20a0 <= n and n < 0x20d0 or 0x2190 <= n and n < 0x2400 or
                               0x2500 <= n and n < 0x2760 or 0x1f300 <= n and n < 0x1fb00) or n in (
            0xaa, 0xb2, 0xb3, 0xb5, 0xb9, 0xba, 0xbc, 0xbd, 0xbe, 0xdf, 0xff, 0x130, 0x131, 0x138, 0x149, 0x17f):
            fail("clasificar «%s» no se porta" % c)
    if cual == "isdigit":
        return x.isdigit()
    if cual == "isalpha":
        return x.isalpha()
    if cual == "isalnum":
        return x.isalnum()
    if cual == "isupper":
        return x.isupper()
    return x.islower()
`},
	}
}

// escribirAyudantes returns the text of the helpers that are used, with those
// they use, under a prefix, and whether they need math.
func escribirAyudantes(usados map[string]bool, prefijo string) (string, bool) {
	todos := ayudantes()
	for cambio := true; cambio; {
		cambio = false
		for _, a := range todos {
			for _, u := range a.usa {
				if usados[a.nombre] && !usados[u] {
					usados[u], cambio = true, true
				}
			}
		}
	}
	var b strings.Builder
	math := false
	for _, a := range todos {
		if usados[a.nombre] {
			b.WriteString(a.texto)
			math = math || a.math
		}
	}
	return strings.ReplaceAll(b.String(), "py_", prefijo), math
}
