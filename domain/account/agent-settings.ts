import { Type } from 'typebox'
import type { ActContext } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { choice } from '../kernel/model/fields.ts'
import { type EventSpec, model } from '../kernel/model/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { Shown } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import { asks } from '../resources/writes.ts'

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

const PATH = '/workspaces/{id}/agents'

const shown: Shown = {
  schema: Type.Object({ confirmed_in: Type.Enum([...PLACES]) }),
  of: (document) => ({ confirmed_in: isConfirmedInBrowser(document) ? 'browser' : 'agent' }),
}

/** Operations on what agents may do by themselves in a workspace. Beyond the contract. */
export const agentOperations = {
  getWorkspacesAgents: read(PATH, {
    shows: shown,
    beyondContract: true,
    summary: 'Where a person confirms what agents should not do by themselves',
  }),
  setWorkspacesAgents: asks(PATH, 'setAgentConfirmation', {
    consequence: 'changes what agents may do by themselves',
    method: 'PUT',
    beyondContract: true,
    summary: 'Has a person confirm in the agent, or in a browser, what agents should not do by themselves',
    body: {
      root: 'agents',
      fields: { confirmed_in: choice(PLACES, { required: true, about: 'agent or browser' }) },
      mode: 'change',
    },
    wanted: ({ fields: { confirmed_in } }): Wanted => ({
      agents_confirmed_in: confirmed_in === 'browser' ? 'browser' : 'agent',
    }),
    shows: shown,
  }),
}
