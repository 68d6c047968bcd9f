package repositorio

import (
	"slices"
	"testing"

	"github.com/go-git/go-git/v6/plumbing"
	"github.com/go-git/go-git/v6/plumbing/object"
)

func crudo(t testing.TB, tipo plumbing.ObjectType, datos []byte) plumbing.EncodedObject {
	t.Helper()
	o := &plumbing.MemoryObject{}
	o.SetType(tipo)
	if _, err := o.Write(datos); err != nil {
		t.Fatal(err)
	}
	return o
}

// FuzzCommit reads any bytes as a commit: what the library reads of it.
func FuzzCommit(f *testing.F) {
	const h = "0123456789abcdef0123456789abcdef01234567"
	const firmas = "author A <a@b> 5 +0000\ncommitter C <c@d> 7 -0300\n"
	for _, s := range []string{
		"",
		"\n",
		"tree " + h,
		"tree " + h + "\n",
		"tree " + h[1:] + "\n",
		"tree " + h + "\nparent zz\n",
		"tree " + h + "\nparent " + h + "\nparent " + h + "\n" + firmas + "\nTitle\n\nBody\n",
		"tree " + h + "\n" + firmas + "encoding latin1\nencoding x\ngpgsig a\n b\n \n encoding y\n\nm",
		"tree " + h + "\n" + firmas + "encoding\nencoding x\n\n",
		"tree " + h + "\ncommitter C <c> 7\n\nm",
		"tree " + h + "\nencoding x\n" + firmas + "parent zz\n\nm",
		"tree " + h + "\nauthor A <a>\nx\ncommitter C <c> 7\n\nm",
		"tree " + h + "\nauthor A\ncommitter C > < 7\n",
		"tree " + h + "\nauthor A\ncommitter <C> nine +0000\n",
		"tree " + h + "\nauthor A\ncommitter <C> -9223372036854775808\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, datos []byte) {
		o := crudo(t, plumbing.CommitObject, datos)
		otro, errOtro := object.DecodeCommit(nil, o)
		c, err := leerCommit(o.Hash(), datos)
		if (err == nil) != (errOtro == nil) {
			t.Fatalf("%v, not %v", err, errOtro)
		}
		if err != nil {
			return
		}
		if c.hash != otro.Hash || c.arbol != otro.TreeHash || !slices.Equal(c.padres, otro.ParentHashes) {
			t.Fatalf("%v, not %v", c, otro)
		}
		if c.fecha != otro.Committer.When.Unix() {
			t.Fatalf("date %d, not %d", c.fecha, otro.Committer.When.Unix())
		}
		if c.mensaje != otro.Message || c.codificacion != string(otro.Encoding) {
			t.Fatalf("%q in %q, not %q in %q", c.mensaje, c.codificacion, otro.Message, otro.Encoding)
		}
	})
}

// FuzzArbol reads any bytes as a tree: what the library reads of it.
func FuzzArbol(f *testing.F) {
	const h = "01234567890123456789"
	for _, s := range []string{
		"", " ", "100644", "100644 ", "100644 a", "100644 a\x00", "100644 a\x00" + h[1:], "100644 \x00" + h,
		"100644 a\x00" + h, "100755 b\x00" + h + "40000 c\x00" + h + "120000 d\x00" + h + "160000 e\x00" + h,
		"0040000 a\x00" + h, "00040000 a\x00" + h, "100664 a\x00" + h, "8 a\x00" + h, "7 a b\x00" + h + "x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, datos []byte) {
		o := crudo(t, plumbing.TreeObject, datos)
		otro, errOtro := object.DecodeTree(nil, o)
		es, err := leerArbol(o.Hash().Size(), datos)
		if (err == nil) != (errOtro == nil) {
			t.Fatalf("%v, not %v", err, errOtro)
		}
		if err != nil {
			return
		}
		if !slices.EqualFunc(es, otro.Entries, func(e entrada, o object.TreeEntry) bool {
			return e == entrada{o.Name, o.Mode, o.Hash}
		}) {
			t.Fatalf("%v, not %v", es, otro.Entries)
		}
	})
}
