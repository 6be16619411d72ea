import type { McpServer, ReadResourceResult, Variables } from '@modelcontextprotocol/server'
import type { Json } from '../../../domain/kernel/values/event.ts'
import { refusalIn } from '../../../domain/kernel/values/refusal.ts'
import type { Agent } from '../agent.ts'
import { ABOUT_DATA } from '../calls/answer.ts'
import { Declined, routeOf } from '../calls/carry-out.ts'
import { describe } from '../describe.ts'
import type { Sdk } from '../sdk.ts'
import { docNames, docText } from './docs.ts'
import { recordWithHistory } from './record.ts'

const JSON_TYPE = 'application/json'

const asJson = (uri: URL, value: Json): ReadResourceResult => ({
  contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
})

/** Reads what is at an address. What the agent may not see looks like what is not there. */
const readAt = async (
  { ResourceNotFoundError }: Sdk,
  uri: URL,
  read: () => Promise<ReadResourceResult>,
): Promise<ReadResourceResult> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Declined || refusalIn(error)) throw new ResourceNotFoundError(uri.href)
    throw error
  }
}

const textIn = (variables: Variables, name: string): string => String(variables[name] ?? '')

const addApi = (sdk: Sdk, server: McpServer, agent: Agent): void => {
  const { catalogue } = agent
  server.registerResource(
    'openapi',
    'millrace://openapi',
    { title: 'OpenAPI document', description: 'The whole API. It is long.', mimeType: JSON_TYPE },
    async (uri) => asJson(uri, await catalogue.openapi()),
  )
  server.registerResource(
    'operation',
    new sdk.ResourceTemplate('millrace://openapi/{operation_id}', { list: undefined }),
    { title: 'One operation of the API', mimeType: JSON_TYPE },
    (uri, variables) =>
      readAt(sdk, uri, async () =>
        asJson(uri, await describe(catalogue, routeOf(agent, textIn(variables, 'operation_id')))),
      ),
  )
}

const addDocs = (sdk: Sdk, server: McpServer): void => {
  const list = async () => ({
    resources: (await docNames()).map((name) => ({ name, uri: `millrace://docs/${name}`, mimeType: 'text/markdown' })),
  })
  server.registerResource(
    'docs',
    new sdk.ResourceTemplate('millrace://docs/{name}', { list }),
    { title: 'Documentation', mimeType: 'text/markdown' },
    (uri, variables) =>
      readAt(sdk, uri, async () => ({
        contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await docText(textIn(variables, 'name')) }],
      })),
  )
}

const addRecords = (sdk: Sdk, server: McpServer, agent: Agent): void => {
  server.registerResource(
    'record',
    new sdk.ResourceTemplate('millrace://record/{kind}/{id}', { list: undefined }),
    {
      title: 'A record with its history',
      description:
        'Kinds as in the paths of the API, such as contacts, orders or emails.broadcasts. Pages are external_page, custom_html_page or page.',
      mimeType: JSON_TYPE,
    },
    (uri, variables) =>
      readAt(sdk, uri, async () =>
        asJson(uri, {
          about_data: ABOUT_DATA,
          data: await recordWithHistory(agent, textIn(variables, 'kind'), textIn(variables, 'id')),
        }),
      ),
  )
}

/** Adds what agents can read by its address: the description of the API, documentation, and records with their history. */
export const addResources = (sdk: Sdk, server: McpServer, agent: Agent): void => {
  addApi(sdk, server, agent)
  addDocs(sdk, server)
  addRecords(sdk, server, agent)
}
