const NAMES = [
  'color-scheme',
  'color-primary',
  'color-text',
  'color-danger',
  'color-placeholder',
  'color-background',
  'color-border',
  'input-shadow',
  'border-radius',
  'font-family',
  'font-size',
  'spacing-unit',
] as const

export type StyleTokens = Readonly<Partial<Record<(typeof NAMES)[number], string>>>

/** Reads the page's `--cfsdk-checkout-*` from `:root`, for the fields that are in frames of a gateway. */
export const styleTokens = (document: Document): StyleTokens => {
  const style = document.defaultView?.getComputedStyle(document.documentElement)
  const values = NAMES.map((name) => [name, style?.getPropertyValue(`--cfsdk-checkout-${name}`).trim() ?? ''] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** Leaves out what has no value. */
export const defined = <Name extends string>(values: Readonly<Record<Name, string | undefined>>) =>
  Object.fromEntries(Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined))
