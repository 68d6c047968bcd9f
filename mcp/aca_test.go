package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// enElLugar makes the conversations run against a server in this process instead
// of the command. The mutation run asks for it: building the command for each
// change costs more than everything else. What is proved about the command is
// proved without it.
var enElLugar = os.Getenv("MCP_EN_EL_LUGAR") != ""

// servirAca serves in this process what p describes.
func (m *maquina) servirAca(p proceso) {
	m.t.Helper()
	entrada, paraEscribir := io.Pipe()
	paraLeer, salida := io.Pipe()
	erroresLee, errores := io.Pipe()
	s, cerrar, err := p.servidor(errores)
	if err != nil {
		m.t.Fatal(err)
	}
	m.codigo = make(chan int, 1)
	m.entrada = paraEscribir
	ctx, cancelar := context.WithCancel(context.Background())
	m.cortar = cancelar
	m.escuchar(paraLeer, erroresLee)
	go func() {
		defer cerrar()
		err := s.Servir(ctx, entrada, salida, slog.New(slog.NewTextHandler(errores, nil)))
		codigo := 0
		switch {
		case errors.Is(err, mcp.ErrSalidaSinApagado):
			codigo = 1
		case err != nil:
			codigo = 2
			fmt.Fprintln(errores, err)
		}
		m.codigo <- codigo
		for _, c := range []io.Closer{entrada, salida, errores} {
			_ = c.Close()
		}
	}()
}

// servidor returns the server p describes and what to close after it. What the
// boxes print goes to errores. It does not confine this process: whoever needs
// that proved needs the command.
func (p proceso) servidor(errores io.Writer) (mcp.Servidor, func(), error) {
	if p.prueba {
		s := servidorDePrueba()
		s.Concurrencia, _ = strconv.Atoi(p.turnos)
		return s, func() {}, nil
	}
	o := host.Opciones{Version: "0.0.0"}
	raiz := ""
	for args := p.args; len(args) > 0; {
		if args[0] == "--confiar-escalares" {
			o.Caja = host.CajaConfinada(encierroDeCaja, errores)
			args = args[1:]
			continue
		}
		if len(args) == 1 {
			return mcp.Servidor{}, nil, fmt.Errorf("the server in this process does not know %s", args[0])
		}
		nombre, valor := args[0], args[1]
		args = args[2:]
		switch nombre {
		case "--proyecto":
			raiz = valor
		case "--raiz-perfiles":
			o.RaicesPerfiles = append(o.RaicesPerfiles, valor)
		case "--raiz-bibliotecas":
			o.RaicesBibliotecas = append(o.RaicesBibliotecas, valor)
		case "--limite":
			limite, n, _ := strings.Cut(valor, "=")
			k, err := strconv.ParseInt(n, 10, 64)
			if err != nil || !o.Limites.Fijar(limite, k) {
				return mcp.Servidor{}, nil, fmt.Errorf("not a limit: %s of %v", valor, algebra.NombresDeLimites())
			}
		default:
			return mcp.Servidor{}, nil, fmt.Errorf("the server in this process does not know %s", nombre)
		}
	}
	pr, err := host.Abrir(raiz, o)
	if err != nil {
		return mcp.Servidor{}, nil, err
	}
	if err := pr.AbrirGit(); err != nil {
		_ = pr.Close()
		return mcp.Servidor{}, nil, err
	}
	return mcp.Oracle(o.Version, mcp.Herramientas(pr)...), func() { _ = pr.Close() }, nil
}
