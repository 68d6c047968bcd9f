// What each JavaScript client is asked to do with the server, and what it saw.
// Prints one JSON object; anything that goes wrong is an exception, and exit code 1.

export const medida = {
  texto: `medida prueba.chicos:
    de fila f
    donde f.n < 10
    resumen contar(1)
    umbral <= 0 segun contrato porque "una razón"
    requiere fila
    ambito universal
    alcance "un alcance"
`,
  formato: 'oracle',
};

export async function recorrer(client, era) {
  const lista = await client.listTools();
  const llamar = (args, name = 'oracle_evaluar') => client.callTool({ name, arguments: args });
  const verde = await llamar({ medida, evidencia: { fila: [{ n: 10 }] } });
  const rojo = await llamar({ medida, evidencia: { fila: [{ n: 1 }, { n: 2.5 }] } });
  const sinEvidencia = await llamar({ medida, evidencia: {} });
  const invalido = await llamar({ medida: { id: 'x' }, evidencia: {} });
  let desconocida;
  try {
    await llamar({}, 'oracle_proponer');
  } catch (e) {
    desconocida = { code: e.code, message: e.message };
  }
  const juntas = await Promise.all(
    Array.from({ length: 50 }, (_, i) => llamar({ medida, evidencia: { fila: Array(i).fill({ n: 1 }) } })),
  );
  console.log(JSON.stringify({
    era,
    servidor: client.getServerVersion(),
    capacidades: client.getServerCapabilities(),
    herramientas: lista.tools.map((t) => t.name),
    estados: [verde, rojo, sinEvidencia].map((r) => r.structuredContent.estado),
    textos: [verde, rojo, sinEvidencia].every((r) => r.content[0].text === JSON.stringify(r.structuredContent)),
    invalido: { isError: invalido.isError, texto: invalido.content[0].text, structured: invalido.structuredContent ?? null },
    desconocida,
    juntas: juntas.map((r) => r.structuredContent.valor),
  }));
  await client.close();
}
