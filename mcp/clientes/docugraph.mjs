// What the JavaScript clients are asked to do with docugraph-mcp, and what they saw: one JSON object, or an exception and exit
// code 1. Arguments: the line of releases (v1 or v2), the era (legacy, auto or a version to pin) and the server's command line.
const [linea, era, command, ...args] = process.argv.slice(2);

async function conectar() {
  if (linea === 'v1') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client({ name: 'sdk-v1', version: '1' });
    await client.connect(new StdioClientTransport({ command, args }));
    return [client, 'legacy'];
  }
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const mode = era === 'legacy' || era === 'auto' ? era : { pin: era };
  const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args }));
  return [client, client.getProtocolEra()];
}

const [client, eraVista] = await conectar();
const llamar = (name, args) => client.callTool({ name, arguments: args });
const lista = await client.listTools();
const prompts = await client.listPrompts();
const paquete = await llamar('get_task_context', { taskId: 'BE-02' });
const informe = await llamar('validate_traceability', {});
const error = await llamar('get_task_context', { taskId: 'BE-99' });
const prompt = await client.getPrompt({ name: 'prompt_implement_task', arguments: { taskId: 'BE-02' } });
console.log(JSON.stringify({
  era: eraVista,
  servidor: client.getServerVersion(),
  capacidades: client.getServerCapabilities(),
  herramientas: lista.tools.map((t) => t.name),
  prompts: prompts.prompts.map((p) => p.name),
  paquete: paquete.content[0].text,
  valido: JSON.parse(informe.content[0].text).valid && informe.structuredContent.valid,
  error: { isError: error.isError, texto: error.content[0].text, code: error.structuredContent.code },
  prompt: prompt.messages.length === 1 && prompt.messages[0].content.text.endsWith(paquete.content[0].text),
}));
await client.close();
