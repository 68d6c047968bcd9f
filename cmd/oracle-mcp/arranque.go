package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/spf13/pflag"
)

// arranque is what the start of the process decides, and no call may change.
type arranque struct {
	proyecto string
	limites  []string
	memoria  string
	perfiles []string
	bibs     []string
	padre    bool
	confiar  bool
	encierro string
}

func (a *arranque) banderas(f *pflag.FlagSet) {
	f.StringVar(&a.proyecto, "proyecto", "", "`ruta` de la raíz del proyecto (si no: ORACLE_PROYECTO, o el directorio actual si tiene catalogos/)")
	f.StringArrayVar(&a.limites, "limite", nil, "cambia un límite: `nombre=valor` (se puede repetir)")
	f.StringVar(&a.memoria, "memoria", "1GiB", "techo de memoria del proceso: un `total` en MiB o GiB")
	f.StringArrayVar(&a.perfiles, "raiz-perfiles", nil, "`directorio` con perfiles (se puede repetir)")
	f.StringArrayVar(&a.bibs, "raiz-bibliotecas", nil, "`directorio` con bibliotecas (se puede repetir)")
	f.BoolVar(&a.padre, "permitir-raiz-padre", false, "los diferenciales pueden firmar archivos del directorio padre")
	f.BoolVar(&a.confiar, "confiar-escalares", false, "autoriza a ejecutar las escalares del proyecto (escalares.star), en su caja")
	f.StringVar(&a.encierro, "encierro", encierro.Automatico.String(), "encierro del proceso antes de leer: `modo` auto, estricto o no")
}

// abrir fixes the project, once, and confines the process to it. What the run
// writes, and what it reads from elsewhere, was opened before.
func (o *orden) abrir() (*host.Proyecto, error) {
	p, err := o.abrirLibre()
	if err != nil {
		return nil, err
	}
	if err := o.encerrar(p); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// abrirLibre fixes the project without confining the process.
func (o *orden) abrirLibre() (*host.Proyecto, error) {
	actual, err := os.Getwd()
	if err != nil {
		actual = ""
	}
	ruta, err := host.Resolver(o.proyecto, o.entorno("ORACLE_PROYECTO"), actual)
	if err != nil {
		return nil, err
	}
	lim, err := o.leerLimites()
	if err != nil {
		return nil, err
	}
	techo, err := leerTamano(o.memoria)
	if err != nil {
		return nil, err
	}
	modo, err := encierro.LeerModo(o.arranque.encierro)
	if err != nil {
		return nil, &errorDeUso{motivo: err.Error()}
	}
	// From half the ceiling on, the collector works harder than it would: what a
	// hostile call leaves behind does not pile up to the ceiling itself.
	debug.SetMemoryLimit(techo / 2)
	op := host.Opciones{
		Version: version, Limites: lim, Memoria: techo,
		RaicesPerfiles: o.perfiles, RaicesBibliotecas: o.bibs, PermitirRaizPadre: o.padre,
		Ahora: time.Now, // how old a shadow is; no answer over MCP looks at it
	}
	if o.confiar {
		enCaja := caja.EncierroExigido
		if modo == encierro.Apagado {
			enCaja = caja.EncierroApagado
		}
		op.Caja = host.CajaConfinada(enCaja, o.errores)
	}
	return host.Abrir(ruta, op)
}

// encerrar confines the process to what it was started for. It happens once in
// a process, however many projects it opens.
func (o *orden) encerrar(p *host.Proyecto) error {
	modo, err := encierro.LeerModo(o.arranque.encierro)
	if err != nil {
		return &errorDeUso{motivo: err.Error()}
	}
	raices := append(append([]string{p.Raiz()}, o.perfiles...), o.bibs...)
	if o.padre {
		raices = append(raices, filepath.Dir(p.Raiz()))
	}
	deGit, archivos := p.RutasDeGit()
	e, err := encierro.Aplicar(encierro.Opciones{
		Modo: modo, Raices: append(raices, deGit...), Archivos: archivos, Confiar: o.confiar,
	})
	if err != nil {
		return err
	}
	if e.Aviso != "" {
		fmt.Fprintln(o.errores, e.Aviso)
	}
	o.estado = e
	return nil
}

func (o *orden) leerLimites() (algebra.LimitesAlgebra, error) {
	var lim algebra.LimitesAlgebra
	for _, l := range o.limites {
		nombre, valor, _ := strings.Cut(l, "=")
		n, err := strconv.ParseInt(valor, 10, 64)
		if err != nil || !lim.Fijar(nombre, n) {
			return lim, &errorDeUso{fmt.Sprintf("--limite %s: se esperaba nombre=valor, con un valor entre 1 y 100 veces el de la tabla (profundidad_expresion hasta 512, expansiones_maximas hasta 64)", algebra.Citar(l)),
				"Los nombres son: " + strings.Join(algebra.NombresDeLimites(), ", ") + "."}
		}
	}
	return lim, nil
}

// leerTamano reads a size of at least 64 MiB.
func leerTamano(s string) (int64, error) {
	unidades := []struct {
		sufijo string
		bytes  int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}}
	for _, u := range unidades {
		if cifras, ok := strings.CutSuffix(s, u.sufijo); ok {
			if n, err := strconv.ParseInt(cifras, 10, 32); err == nil && n > 0 && n*u.bytes >= 64<<20 {
				return n * u.bytes, nil
			}
		}
	}
	return 0, &errorDeUso{motivo: fmt.Sprintf("--memoria %s: se esperaba un tamaño de al menos 64MiB, como 512MiB o 1GiB", algebra.Citar(s))}
}
