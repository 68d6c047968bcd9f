// Package transporte is the gate between the bytes of stdin and stdout and the
// MCP SDK (transporte.md §2–§4).
//
// A [Compuerta] owns both streams. It reads a line, answers by itself whatever
// the SDK must not see, and hands accepted requests to one of two lanes
// ([Compuerta.Carril]), each an SDK transport with a session of its own: one per
// protocol era, so that neither contaminates the other. What goes into a lane is
// written here from scratch, under a private integer id; the client's own id and
// progress token are kept as the bytes they came in and put back on the way out.
//
// A request is in flight from the moment it is read until its answer starts to be
// written. Cancelling takes it out, and an answer without a request is dropped:
// there is no late answer to send. tools/call requests wait their turn here, not
// in the SDK, so they can be cancelled while waiting and nothing else waits.
//
// Everything a client makes the gate hold is bounded: the line, the requests not
// yet answered, the answers not yet written. At a bound, reading stops; it never
// stops for anything else.
//
// In the order a request goes: linea.go cuts lines, sobre.go tells what a line is,
// era.go which era a request belongs to, atender.go answers it or lets it through,
// vuelo.go keeps what is in flight and gives turns, carril.go goes into the SDK and
// back, cola.go writes. compuerta.go holds the state and how it ends. The package
// knows no tool: it is given the names.
package transporte
