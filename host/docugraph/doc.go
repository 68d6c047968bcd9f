// Package docugraph reads a tree of Markdown documents with YAML front matter and answers about their traceability: which
// documents a task needs, who depends on whom, and what is wrong with the links.
//
// The main types, in the order a caller meets them:
//
//   - [Cargar] reads everything below an *os.Root once and returns an [Arbol], which never touches the disk again.
//   - [Arbol.Informe] lists the findings ([Hallazgo]), [Arbol.Contexto] builds the context bundle of one task ([Paquete]), and
//     [Arbol.Grafo], [Arbol.Lista], [Arbol.Criterios] and [Arbol.Impacto] answer the smaller questions.
//   - [Arbol.Hechos] writes the tree down as relational evidence, so that measures can judge it.
//   - [Leer] reads one document from memory and [Armar] makes an Arbol out of documents read that way.
//
// A question that cannot be answered whole fails with an [*ErrorHerramienta]; nothing partial is returned. Answers that look at
// the whole tree carry the documents that could not be taken into account ([Omitido]): «could not look» never looks like «looked
// and found nothing».
//
// Everything is deterministic: the same bytes below the root give the same bytes out, whatever the order of the file system, the
// number of processors or the clock. An Arbol is immutable once built and safe for concurrent use.
//
// It implements especificacion/docugraph.md §2 to §6.
package docugraph
