package caja

import (
	"context"
	"fmt"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo"
)

// Diagnosticar starts a box and has it try, from inside, each thing it must be
// unable to do. The error is an *[algebra.ErrorInterno] when the box cannot
// start or breaks, or the context's.
func Diagnosticar(ctx context.Context, e Encierro) ([]nucleo.Prueba, error) {
	c, err := Abrir(ctx, Config{Encierro: e, Hijos: 1})
	if err != nil {
		return nil, err
	}
	defer c.Cerrar()
	p, err := c.tomar()
	if err != nil {
		return nil, err
	}
	defer c.descartar(p)
	const plazo = 10 * time.Second
	err = p.mandar(plazo, mensaje.TipoProbar, nil)
	var tipo mensaje.Tipo
	var cuerpo []byte
	if err == nil {
		tipo, cuerpo, err = p.recibir(plazo, 1<<20, c.salida.escribir)
	}
	if err != nil || tipo != mensaje.TipoProbado {
		return nil, &algebra.ErrorInterno{Causa: fmt.Errorf("la caja no dijo qué probó: %v", err)}
	}
	l := mensaje.NuevoLector(cuerpo)
	var ps []nucleo.Prueba
	for range l.Cantidad(3) {
		ps = append(ps, nucleo.Prueba{Que: l.Texto(), Negada: l.Booleano(), Detalle: acotar(l.Texto())})
	}
	if err := l.Cerrar(); err != nil {
		return nil, &algebra.ErrorInterno{Causa: err}
	}
	return ps, nil
}
