// Package hijo is the side of the scalars' box that runs inside the child
// process (especificación «seguridad» §2): it gives up everything it can,
// loads the file it is sent and answers calls over its pipes until they close.
//
// [Correr] is the whole of it and never returns. The only state is the loaded
// file, which is frozen.
package hijo
