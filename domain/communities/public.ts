export { granting, revoking } from './granting.ts'
export { communityNotices } from './mails/index.ts'
export { participations } from './membership/rules.ts'
