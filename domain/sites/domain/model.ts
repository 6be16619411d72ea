import { managed } from '../../kernel/model/field.ts'
import { choice, flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const STATES = ['initialized', 'connecting', 'ownership_verified', 'securing', 'secured', 'removing'] as const

/** Domain: a host under which pages of a workspace are served. Each workspace has one from the start. */
export const domain = model('domain', {
  attributes: {
    name: text({ required: true, about: 'Name of the host, in ASCII and lower case' }),
    status: managed(choice(STATES, { required: true })),
    connected: managed(flag({ required: true, about: 'Fully connected and active' })),
    /** Text that the owner of the name publishes; `null` for the domain that a workspace begins with. */
    proof: managed(text({ nullable: true }), { shown: 'never' }),
  },
  events: {
    DomainConnected: { creates: true, only: ['name'], constants: { status: 'secured', connected: true } },
    DomainRequested: { creates: true, only: ['name', 'proof'], constants: { status: 'initialized', connected: false } },
    DomainOwnershipProven: { constants: { status: 'secured', connected: true } },
    DomainRenamed: { sets: ['name'] },
    DomainRemoved: { ends: true },
  },
})
