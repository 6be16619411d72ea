declare module 'commonmark-spec' {
  /** Examples of the specification of CommonMark. */
  export const tests: readonly { readonly markdown: string; readonly html: string; readonly number: number }[]
}
