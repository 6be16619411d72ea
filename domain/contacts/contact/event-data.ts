/** Page of an opt-in, with its step and funnel if it has one. */
export type OptIn = {
  readonly page_id: number
  readonly show_page_step_id: number | null
  readonly funnel_id: number | null
}

export type SoftBounces = {
  readonly count: number
  /** When the first of these mails was handed over. */
  readonly since: string
}

/** What is known of an address that a contact had. */
export type AddressLeft = {
  readonly digest: string
  readonly reason: string | null
  readonly unsubscribed: boolean
  readonly soft_bounces: SoftBounces | null
}

/** How a contact came back. */
export type Return = {
  readonly by: 'preferences' | 'opt_in'
  /** For an opt-in: the submission that was confirmed, and its page. */
  readonly form_submission_id: number | null
  readonly page_id: number | null
}

/** Pages that were viewed, and their funnels. */
export type Viewed = { readonly page_ids: readonly number[]; readonly funnel_ids: readonly number[] }
