export { account, type MemberSession, type SignInLink } from './account/model.ts'
export { accounts, openSession, usableLink } from './account/rules.ts'
