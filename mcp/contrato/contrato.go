// Package contrato is the oracle's published surface: the definitions of its five
// tools, byte for byte those of the contract, and the functions that check a
// call's arguments against their input schemas.
//
// The checks are written by hand, one function per tool, and stop where evidence
// begins: whatever lies under it is another layer's, with another code
// (codigos.md §1). A test holds them against the schemas with an independent
// validator.
//
// [Validar] checks; the Leer functions check and return the arguments typed, with
// evidence still raw. All are pure and safe for concurrent use.
package contrato

import (
	_ "embed"
	"encoding/json"
)

// Names of the tools (decisiones.md 13).
const (
	CatalogoEfectivo = "oracle_catalogo_efectivo"
	Evaluar          = "oracle_evaluar"
	Desafiar         = "oracle_desafiar"
	Juzgar           = "oracle_juzgar"
	Tareas           = "oracle_tareas"
)

//go:embed herramientas.json
var definiciones string

// Definiciones returns the contract's array of tool definitions, in its order and
// with its layout.
func Definiciones() json.RawMessage { return json.RawMessage(definiciones) }

// Validar checks the arguments of a tool against its published input schema. The
// error is an [*Invalido]; a tool without a schema here is a programming mistake
// and panics.
func Validar(herramienta string, args json.RawMessage) error {
	var err error
	switch herramienta {
	case CatalogoEfectivo:
		_, err = LeerCatalogo(args)
	case Evaluar:
		_, err = LeerEvaluar(args)
	case Desafiar:
		_, err = LeerDesafiar(args)
	case Juzgar:
		_, err = LeerJuzgar(args)
	case Tareas:
		_, err = leerTareas(args)
	default:
		panic("contrato: no schema for " + herramienta)
	}
	return err
}
