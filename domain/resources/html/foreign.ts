import { words } from './words.ts'

/** Elements of other languages, and those in them whose content is HTML again. */
export const FOREIGN = words('svg math')
export const INTEGRATING = {
  html: new Set<string>(),
  svg: words('desc foreignobject title'),
  math: words('mi mn mo ms mtext'),
}
/** Elements of HTML that end other languages. */
export const BREAKING_OUT = words(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)
