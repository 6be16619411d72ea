import { Type } from 'typebox'
import { ask } from '../kernel/decide/ask.ts'
import type { Decider } from '../kernel/decide/decider.ts'
import type { ActContext } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { choice } from '../kernel/model/fields.ts'
import { type EventSpec, model } from '../kernel/model/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import type { ActionInput, ActionOperation } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import type { ReadOperation } from '../resources/read-operation.ts'

/** Where a person confirms what agents should not do by themselves: in the agent, or in a browser in which the person is signed in. */
const PLACES = ['agent', 'browser'] as const

/** Attributes of a workspace that are about agents. */
export const agentAttributes = {
  agents_confirmed_in: managed(choice(PLACES, { default: 'agent' }), { shown: 'never' }),
}

/** Events of a workspace that are about agents. */
export const agentEvents = {
  AgentConfirmationSet: { sets: ['agents_confirmed_in'] },
} as const satisfies Readonly<Record<string, EventSpec<typeof agentAttributes>>>

const agentModel = model('workspace', { attributes: agentAttributes, events: agentEvents })

type Wanted = { readonly agents_confirmed_in: (typeof PLACES)[number] }

/** Acts of a workspace that are about agents. */
export const agentActs = {
  setAgentConfirmation: ({ before, wanted: { agents_confirmed_in } }: ActContext<typeof agentModel, Wanted>) =>
    before.agents_confirmed_in === agents_confirmed_in
      ? []
      : [agentModel.event.AgentConfirmationSet({ agents_confirmed_in })],
}

/** Whether what agents do in a workspace is confirmed in a browser. */
export const isConfirmedInBrowser = (workspace: Document | undefined): boolean =>
  workspace?.agents_confirmed_in === 'browser'

type Workspaces = Decider<{ readonly setAgentConfirmation: Wanted }>

const PATH = '/workspaces/{id}/agents'

const schema = Type.Object({ confirmed_in: Type.Enum([...PLACES]) })

const set =
  (workspaces: Workspaces) =>
  async ({ document, fields, transact }: ActionInput): Promise<JsonObject | Refusal> => {
    const confirmed_in = fields.confirmed_in === 'browser' ? 'browser' : 'agent'
    const id = Number(document?.id)
    const wanted = { agents_confirmed_in: confirmed_in } as const
    const refusal = await transact(ask(workspaces, id, 'setAgentConfirmation', wanted, { workspaceId: id }))
    return refusal instanceof Refusal ? refusal : { confirmed_in }
  }

/** Builds the operations on what agents may do by themselves in a workspace. Beyond the contract. */
export const agentOperations = (
  workspaces: Workspaces,
): { readonly [id in 'getWorkspacesAgents' | 'setWorkspacesAgents']: ReadOperation | ActionOperation } => ({
  getWorkspacesAgents: read(PATH, {
    schema,
    beyondContract: true,
    summary: 'Where a person confirms what agents should not do by themselves',
    read: async ({ document }) => ({ confirmed_in: isConfirmedInBrowser(document) ? 'browser' : 'agent' }),
  }),
  setWorkspacesAgents: {
    kind: 'call',
    method: 'PUT',
    path: PATH,
    beyondContract: true,
    summary: 'Has a person confirm in the agent, or in a browser, what agents should not do by themselves',
    body: {
      root: 'agents',
      fields: { confirmed_in: choice(PLACES, { required: true, about: 'agent or browser' }) },
      mode: 'change',
    },
    schema,
    answers: 200,
    call: set(workspaces),
  },
})
