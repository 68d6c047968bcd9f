// The TypeScript SDK, second line of releases, in the era its first argument names:
// legacy, auto, or a version to pin.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { recorrer } from './recorrido.mjs';

const [era, command, ...args] = process.argv.slice(2);
const mode = era === 'legacy' || era === 'auto' ? era : { pin: era };
const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport({ command, args }));
await recorrer(client, client.getProtocolEra());
