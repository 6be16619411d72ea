/** Result of a page on which somebody allowed a request. */
export const allowed = (accountId: string, grantId: string) => ({
  login: { accountId, remember: false },
  select_account: {},
  consent: { grantId },
})

/** Result of a page on which somebody denied it. */
export const DENIED = { error: 'access_denied', error_description: 'The person denied the request' }
