import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, list, moment, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Key that mail is signed with. The private key is sealed under the key of the workspace. Stored format. */
export type DkimKey = { readonly selector: string; readonly public_key: string; readonly sealed: string }

/** Key that signed mail until another took its place. */
export type FormerKey = DkimKey & { readonly asked_until: string }

const key = <K extends DkimKey>() =>
  managed(data<K, { nullable: true; shown: 'never' }>(Type.Object({}), { nullable: true, shown: 'never' }))

const seen = () => managed(flag({ default: false }))
const hidden = () => managed(text({ nullable: true, max: 5000 }), { shown: 'never' })

/** Sending domain: a root domain that mail of a workspace is sent from. */
export const domain = model('emails/domain', {
  attributes: {
    name: text({ required: true, trim: true, immutable: true, about: 'Root domain, in ASCII and lower case' }),
    dkim_verified: seen(),
    spf_verified: seen(),
    dmarc_verified: seen(),
    return_address_verified: seen(),
    dkim_key: key<DkimKey>(),
    /** Key whose record has not been seen yet. */
    next_dkim_key: key<DkimKey>(),
    former_dkim_key: key<FormerKey>(),
    /** Name of the operator that bounces go to. */
    bounce_host: hidden(),
    /** Records that the domain has: its own policies are kept. */
    spf_found: hidden(),
    dmarc_found: hidden(),
    /** What is wrong with the records. */
    findings: managed(list(text({ max: 500 }), { initial: [] }), { shown: 'never' }),
    checked_at: managed(moment({ nullable: true }), { shown: 'never' }),
  },
  events: {
    SendingDomainAdded: { creates: true, only: ['name', 'dkim_key', 'bounce_host'] },
    DkimKeyMade: { sets: ['dkim_key'] },
    SendingDomainChecked: {
      sets: [
        ...(['dkim_verified', 'spf_verified', 'dmarc_verified', 'return_address_verified'] as const),
        ...(['spf_found', 'dmarc_found', 'findings', 'bounce_host'] as const),
      ],
      stamps: 'checked_at',
    },
    DkimRotationBegun: { sets: ['next_dkim_key'] },
    DkimKeyRotated: { sets: ['dkim_key', 'former_dkim_key'], constants: { next_dkim_key: null } },
    FormerDkimKeyDropped: { constants: { former_dkim_key: null } },
  },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
  timers: { 'former-dkim-key': { due: ({ former_dkim_key }) => former_dkim_key?.asked_until ?? null } },
})
