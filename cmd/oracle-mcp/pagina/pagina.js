
(function () {
  "use strict";
  var raiz = document.documentElement;
  var medidas = Array.prototype.slice.call(document.querySelectorAll("details.medida"));
  var pedida = false;
  var busca = document.getElementById("busca"), tema = document.getElementById("tema");
  document.getElementById("controles").hidden = false;
  document.getElementById("controles").addEventListener("submit", function (e) { e.preventDefault(); });

  function visibles() { return medidas.filter(function (m) { return !m.hidden; }); }

  function filtrar() {
    var cuales = document.querySelector("input[name=cuales]:checked").value;
    var texto = busca.value.trim().toLocaleLowerCase("es");
    medidas.forEach(function (m) {
      var nombres = Array.prototype.map.call(m.querySelectorAll(".nombre"), function (n) { return n.textContent; }).join("\n").toLocaleLowerCase("es");
      m.hidden = cuales === "mal" && m.dataset.mal !== "true" || cuales === "libres" && m.dataset.libres === "0" || nombres.indexOf(texto) < 0;
    });
    var n = visibles().length;
    document.getElementById("nada").hidden = n > 0 || medidas.length === 0;
    document.getElementById("cuenta").textContent = n === medidas.length ? "" : n + " de " + medidas.length + " medidas";
  }

  function abrir(si) { visibles().forEach(function (m) { m.open = si; }); }

  function mover(paso) {
    var vs = visibles(), i = vs.indexOf(document.activeElement.closest("details.medida"));
    if (vs.length === 0) { return; }
    i = i < 0 ? (paso > 0 ? 0 : vs.length - 1) : Math.min(Math.max(i + paso, 0), vs.length - 1);
    vs[i].querySelector("summary").focus();
    vs[i].scrollIntoView({ block: "start" });
  }

  busca.addEventListener("input", filtrar);
  Array.prototype.forEach.call(document.querySelectorAll("input[name=cuales]"), function (r) { r.addEventListener("change", filtrar); });
  document.getElementById("abrir").addEventListener("click", function () { abrir(true); });
  document.getElementById("cerrar").addEventListener("click", function () { abrir(false); });
  tema.addEventListener("change", function () {
    if (tema.value) { raiz.dataset.tema = tema.value; } else { delete raiz.dataset.tema; }
  });
  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey) { return; }
    var escribe = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "radio";
    if (e.key === "Escape" && e.target === busca) { busca.value = ""; filtrar(); busca.blur(); return; }
    if (escribe) { return; }
    if (e.key === "/") { e.preventDefault(); pedida = true; }
    if (e.key === "j") { mover(1); }
    if (e.key === "k") { mover(-1); }
  });
  // On the way up, so that the bar itself is not typed in the box.
  document.addEventListener("keyup", function (e) {
    if (e.key === "/" && pedida) { busca.focus(); }
    pedida = false;
  });
  filtrar();
})();
