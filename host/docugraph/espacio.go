package docugraph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Espacio is the workspace of a process: its root, resolved once, and the tree it holds. Use [AbrirEspacio], then [Espacio.Cargar]
// once; after that it is safe for concurrent use.
type Espacio struct {
	ruta  string
	raiz  *os.Root
	lim   Limites
	arbol *Arbol
}

// AbrirEspacio resolves ruta, symbolic links included, and opens it. Nothing is read yet, so a process may confine itself to
// [Espacio.Ruta] in between. It fails if ruta does not exist or is not a directory.
func AbrirEspacio(ruta string, lim Limites) (*Espacio, error) {
	absoluta, err := filepath.Abs(ruta)
	if err == nil {
		absoluta, err = filepath.EvalSymlinks(absoluta)
	}
	if err != nil {
		return nil, deApertura(ruta, err)
	}
	raiz, err := os.OpenRoot(absoluta)
	if err != nil {
		return nil, deApertura(ruta, err)
	}
	return &Espacio{ruta: absoluta, raiz: raiz, lim: lim}, nil
}

func deApertura(ruta string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("el workspace %s no existe", ruta)
	}
	return fmt.Errorf("el workspace %s no se puede abrir: %w", ruta, motivo(err))
}

// Ruta is the absolute path of the root, without symbolic links.
func (e *Espacio) Ruta() string { return e.ruta }

// Close releases the root.
func (e *Espacio) Close() error { return e.raiz.Close() }

// Cargar reads the tree, as the function [Cargar] does.
func (e *Espacio) Cargar(ctx context.Context) error {
	a, err := Cargar(ctx, e.raiz, e.lim)
	e.arbol = a
	return err
}

// Arbol is the tree that was loaded; nil before.
func (e *Espacio) Arbol() *Arbol { return e.arbol }

// Validar returns the findings of the workspace, as it was when it was loaded, or those of the directory workspacePath of it, read
// now as a tree of its own. workspacePath is absolute or relative to the root; "" is the root. A path that does not fall inside
// the root once its symbolic links are resolved is WORKSPACE_OUTSIDE_ROOT, whether it exists or not; one that falls inside and is
// not a directory is INVALID_ARGUMENT.
func (e *Espacio) Validar(ctx context.Context, workspacePath string) (*Informe, error) {
	relativa, err := e.ubicar(workspacePath)
	if err != nil {
		return nil, err
	}
	if relativa == "." {
		return e.arbol.Informe(e.ruta), nil
	}
	sub, err := e.raiz.OpenRoot(relativa)
	if err != nil {
		return nil, &ErrorHerramienta{ArgumentoInvalido, fmt.Sprintf("workspacePath %s no es un directorio que se pueda leer", citar(workspacePath))}
	}
	defer sub.Close()
	a, err := Cargar(ctx, sub, e.lim)
	if err != nil {
		if ctx.Err() == nil {
			err = &ErrorHerramienta{ArgumentoInvalido, fmt.Sprintf("workspacePath %s: %v", citar(workspacePath), err)}
		}
		return nil, err
	}
	return a.Informe(filepath.Join(e.ruta, relativa)), nil
}

// ubicar returns the path of a directory from the root, its symbolic links resolved.
func (e *Espacio) ubicar(ruta string) (string, error) {
	afuera := &ErrorHerramienta{WorkspaceFueraDeRaiz, fmt.Sprintf("workspacePath %s no está dentro del workspace del proceso", citar(ruta))}
	if ruta == "" {
		return ".", nil
	}
	candidata := ruta
	if !filepath.IsAbs(candidata) {
		candidata = filepath.Join(e.ruta, candidata)
	}
	relativa, err := filepath.Rel(e.ruta, candidata)
	adentro := err == nil && filepath.IsLocal(relativa)
	resuelta, err := filepath.EvalSymlinks(candidata)
	if err != nil {
		if !adentro {
			return "", afuera // and nothing is said of what is out there
		}
		return "", &ErrorHerramienta{ArgumentoInvalido, fmt.Sprintf("workspacePath %s no existe", citar(ruta))}
	}
	relativa, err = filepath.Rel(e.ruta, resuelta)
	if err != nil || !filepath.IsLocal(relativa) {
		return "", afuera
	}
	return relativa, nil
}
