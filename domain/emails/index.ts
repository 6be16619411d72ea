import type { Family } from '../resources/family.ts'
import { addressResource } from './address/index.ts'
import { sendingDomainResource } from './domain/index.ts'
import { sendersKnowTransport } from './policies.ts'
import { mailSettingsResource } from './settings/index.ts'
import { templateResource } from './template/index.ts'
import { topicResource } from './topic/index.ts'

/** Senders, sending domains, topics and templates of mail. */
export const emails: Family = {
  resources: [mailSettingsResource, sendingDomainResource, addressResource, topicResource, templateResource],
  policies: [sendersKnowTransport],
}
