// Package mcp serves tools over the Model Context Protocol on a pair of byte
// streams, in its two eras (2025-11-25 and 2026-07-28).
//
// The bytes belong to mcp/transporte, a gate that reads and writes every line and
// lets only well-formed requests through to the SDK. mcp/contrato holds the
// published definitions and checks arguments against them. This package joins the
// two: it registers each [Herramienta] with the SDK, runs it with its panics
// contained, and shapes the results the way the contract asks.
//
// [Servir] is what a command calls. One file per tool holds what the oracle
// answers; nothing here knows what a measure is.
package mcp
