package main

import (
	"encoding/xml"
	"io"
	"os"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// informe is an output file, opened before anything is judged.
type informe struct{ f *os.File }

func abrirInforme(bandera, ruta string) (informe, error) {
	if ruta == "" {
		return informe{}, nil
	}
	f, err := os.Create(ruta)
	if err != nil {
		return informe{}, host.ErrArgumentos(bandera, ruta, "un archivo que se pueda escribir", "nombrá un archivo en un directorio que exista y se pueda escribir.")
	}
	return informe{f}, nil
}

func (i informe) escribir(f func(io.Writer) error) error {
	if i.f == nil {
		return nil
	}
	if err := f(i.f); err != nil {
		i.f.Close()
		return err
	}
	return i.f.Close()
}

// The JUnit report: a case for each measure.
type (
	junitConjunto struct {
		XMLName xml.Name    `xml:"testsuite"`
		Name    string      `xml:"name,attr"`
		Tests   int         `xml:"tests,attr"`
		Fails   int         `xml:"failures,attr"`
		Errors  int         `xml:"errors,attr"`
		Skipped int         `xml:"skipped,attr"`
		Cases   []junitCaso `xml:"testcase"`
	}
	junitCaso struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitMensaje `xml:"failure"`
		Error   *junitMensaje `xml:"error"`
		Skipped *junitMensaje `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMensaje struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// escribir writes the set, counted.
func (s *junitConjunto) escribir(w io.Writer) error {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Error != nil:
			s.Errors++
		case c.Failure != nil:
			s.Fails++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
