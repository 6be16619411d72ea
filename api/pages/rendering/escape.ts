import { escapeHtml } from '../../../domain/kernel/values/html.ts'

/** Returns attributes with a space before each. `true`: only the name; `undefined` and `false`: none. */
export const attributes = (values: Readonly<Record<string, string | number | boolean | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => {
      if (value === undefined || value === false) return ''
      return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
    })
    .join('')

/** Returns declarations for a `style` attribute, without those that have no value. */
export const styles = (values: Readonly<Record<string, string | undefined>>): string | undefined => {
  const declared = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : `${name}:${value}`))
  return declared.length === 0 ? undefined : declared.join(';')
}

/** Returns custom CSS in a form that cannot end its `<style>` element. */
export const containedCss = (css: string): string => css.replace(/<(?=\/style)/gi, '\\3c ')

/** Returns an address as a value of `url()`. */
export const cssUrl = (url: string): string =>
  `url("${url.replace(/[\s"'()\\<>]/g, (character) => `%${character.codePointAt(0)!.toString(16).padStart(2, '0')}`)}")`
