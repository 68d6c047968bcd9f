package mcp

import "github.com/oracle-mcp/oracle-mcp/host"

// Herramientas returns every tool the oracle serves over a project.
func Herramientas(p *host.Proyecto) []Herramienta {
	return []Herramienta{CatalogoEfectivo(p), Evaluar(p), Desafiar(p), Juzgar(p), Tareas(p)}
}
