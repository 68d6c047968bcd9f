package repositorio

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	formatcfg "github.com/go-git/go-git/v6/plumbing/format/config"
)

// configuracion is one or more decoded configuration files, the later winning.
type configuracion []*formatcfg.Config

func decodificar(datos []byte) (configuracion, error) {
	c := formatcfg.New()
	if err := formatcfg.NewDecoder(bytes.NewReader(datos)).Decode(c); err != nil {
		return nil, err
	}
	return configuracion{c}, nil
}

// texto returns the last value of a key, and whether there is one.
func (c configuracion) texto(seccion, clave string) (string, bool) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].HasSection(seccion) {
			if s := c[i].Section(seccion); s.HasOption(clave) {
				return s.Option(clave), true
			}
		}
	}
	return "", false
}

// booleano reads a key as Git does; a key without a value is true.
func (c configuracion) booleano(seccion, clave string) (valor, hay bool) {
	t, hay := c.texto(seccion, clave)
	switch strings.ToLower(t) {
	case "true", "yes", "on", "1", "":
		return hay, hay
	}
	return false, hay
}

// ajustes are the settings that change what Git says of a file.
type ajustes struct {
	sha256     bool
	modo       bool // core.fileMode
	enlaces    bool // core.symlinks
	ctime      bool // core.trustctime
	statMinimo bool // core.checkStat = minimal
	mayusculas bool // core.ignoreCase
	disperso   bool // core.sparseCheckout
	crlf       finDeLinea
	excluye    bool // core.excludesFile names a file
	atributos  bool // core.attributesFile names a file
	incluye    bool // there is an [include]
}

type finDeLinea int

const (
	crlfNo finDeLinea = iota
	crlfSi
	crlfEntrada
)

var errFormato = errors.New("formato de repositorio desconocido")

// leerAjustes reads the repository's configuration.
func (r *Repositorio) leerAjustes() (ajustes, error) {
	a := ajustes{modo: true, enlaces: true, ctime: true}
	datos, err := r.comun.ReadFile("config", topeArchivoChico)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	c, err := decodificar(datos)
	if err != nil {
		return a, err
	}
	version, hay := c.texto("core", "repositoryformatversion")
	if hay && version != "0" && version != "1" {
		return a, fmt.Errorf("%w: versión %q", errFormato, version)
	}
	// Extensions are the common file's alone, and an unknown one forbids reading.
	if v1 := version == "1"; c[0].HasSection("extensions") {
		for _, o := range c[0].Section("extensions").Options {
			switch clave := strings.ToLower(o.Key); clave {
			case "noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees":
			case "objectformat":
				switch {
				case v1 && o.Value == "sha256":
					a.sha256 = true
				case o.Value != "sha1":
					return a, fmt.Errorf("%w: objectformat = %q", errFormato, o.Value)
				}
			default:
				if v1 {
					return a, fmt.Errorf("%w: extensions.%s", errFormato, clave)
				}
			}
		}
	}
	if porArbol, _ := c.booleano("extensions", "worktreeconfig"); porArbol {
		datos, err := r.gitdir.ReadFile("config.worktree", topeArchivoChico)
		if err == nil {
			propia, err := decodificar(datos)
			if err != nil {
				return a, err
			}
			c = append(c, propia...)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return a, err
		}
	}
	a.poner(c)
	return a, nil
}

func (a *ajustes) poner(c configuracion) {
	sobre := func(campo *bool, clave string) {
		if v, hay := c.booleano("core", clave); hay {
			*campo = v
		}
	}
	sobre(&a.modo, "filemode")
	sobre(&a.enlaces, "symlinks")
	sobre(&a.ctime, "trustctime")
	sobre(&a.mayusculas, "ignorecase")
	sobre(&a.disperso, "sparsecheckout")
	if v, _ := c.texto("core", "checkstat"); strings.EqualFold(v, "minimal") {
		a.statMinimo = true
	}
	if v, _ := c.texto("core", "autocrlf"); strings.EqualFold(v, "input") {
		a.crlf = crlfEntrada
	} else if si, _ := c.booleano("core", "autocrlf"); si {
		a.crlf = crlfSi
	}
	excluye, _ := c.texto("core", "excludesfile")
	atributos, _ := c.texto("core", "attributesfile")
	a.excluye, a.atributos = excluye != "", atributos != ""
	for _, f := range c {
		a.incluye = a.incluye || f.HasSection("include") || f.HasSection("includeif")
	}
}
