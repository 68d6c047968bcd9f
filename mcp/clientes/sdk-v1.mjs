// The TypeScript SDK, first line of releases: initialize, 2025-11-25.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { recorrer } from './recorrido.mjs';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'sdk-v1', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
await recorrer(client, 'legacy');
