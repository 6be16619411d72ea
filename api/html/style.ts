import { createHash } from 'node:crypto'

/** Style of all pages that people use. Colours have a contrast of 4.5 and more, and follow the scheme of the reader. */
export const STYLE = [
  ':root{color-scheme:light dark;--text:#1a1a1a;--quiet:#595959;--line:#d4d4d4;--link:#0b57b3;--page:#fff;--raised:#f5f5f5}',
  '@media(prefers-color-scheme:dark){:root{--text:#f2f2f2;--quiet:#b8b8b8;--line:#4a4a4a;--link:#8ec2ff;--page:#161616;--raised:#222}}',
  '*{box-sizing:border-box}',
  'body{background:var(--page);color:var(--text);font:1rem/1.6 system-ui,sans-serif;margin:0;overflow-wrap:anywhere}',
  'header,main,footer{margin:0 auto;max-width:46rem;padding:1rem 1.5rem}',
  'header{align-items:center;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}',
  'header strong{flex:1 1 auto}',
  'nav ul,ol.plain,ul.plain{list-style:none;margin:0;padding:0}',
  'nav ul{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}',
  'nav a{display:inline-block;padding:.25rem 0}',
  'nav a[aria-current]{color:var(--text);font-weight:600}',
  'a{color:var(--link)}',
  'h1{font-size:1.75rem;line-height:1.25}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1.05rem}',
  'li.item,article.item{border-top:1px solid var(--line);padding:.75rem 0}',
  '.quiet{color:var(--quiet)}.text{white-space:pre-line}',
  'blockquote{border-left:4px solid var(--line);margin:1rem 0;padding:0 1rem}fieldset{border:1px solid var(--line);border-radius:6px}',
  'li.step-1{margin-left:1.25rem}li.step-2{margin-left:2.5rem}li.step-3{margin-left:3.75rem}li.step-4{margin-left:5rem}',
  '.notice{background:var(--raised);border-left:4px solid var(--link);padding:.75rem 1rem}',
  'form{margin:1rem 0}form.inline{display:inline-block;margin:.25rem .5rem .25rem 0}',
  'label{display:block;font-weight:600;margin:1rem 0 .25rem}label.choice{font-weight:400}',
  'input[type=email],input[type=password],input[type=text],input[type=url],select,textarea{background:var(--page);border:1px solid var(--quiet);border-radius:6px;color:var(--text);font:inherit;max-width:100%;padding:.6rem .75rem;width:28rem}',
  'textarea{min-height:9rem;width:100%}',
  'button{background:#1a1a1a;border:1px solid #1a1a1a;border-radius:6px;color:#fff;cursor:pointer;font:inherit;min-height:2.75rem;padding:.5rem 1.25rem}',
  'button.second{background:var(--page);border-color:var(--quiet);color:var(--text)}',
  '@media(prefers-color-scheme:dark){button{background:#f2f2f2;border-color:#f2f2f2;color:#161616}}',
  'a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,main:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}',
  'main:focus{outline:none}',
  '.skip{left:-100vw;position:absolute}.skip:focus{background:var(--page);left:1rem;padding:.5rem;top:.5rem}',
  'img,video{height:auto;max-width:100%}pre{overflow-x:auto}',
  'iframe{aspect-ratio:16/9;border:0;height:auto;width:100%}',
  'table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--line);padding:.5rem .5rem .5rem 0;text-align:left;vertical-align:top}',
  '.qr-code{max-width:16rem}',
  'progress{height:.75rem;max-width:100%;width:16rem}',
  'dl{display:grid;gap:.25rem 1rem;grid-template-columns:max-content 1fr}dt{color:var(--quiet)}dd{margin:0}',
  '.pager{display:flex;flex-wrap:wrap;gap:1rem;justify-content:space-between}',
].join('')

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** What a page loads from other hosts. */
export interface LoadedBeyond {
  /** Origins that it may frame. */
  readonly frames: readonly string[]
  readonly foreignImages: boolean
  /** Sources of videos; default: there are none. */
  readonly media?: readonly string[]
  /** Sources of scripts; default: there are none. */
  readonly scripts?: readonly string[]
  /** Origins or schemes that its forms may lead to, besides its own. */
  readonly forms?: readonly string[]
}

/** Returns the policy of a page: no script, pictures of its own host or of all, and forms that stay there, unless more is given. */
export const policyOf = ({ frames, foreignImages, media = [], scripts = [], forms = [] }: LoadedBeyond): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `img-src 'self'${foreignImages ? ' https: http:' : ''}`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...(media.length > 0 ? [`media-src ${media.join(' ')}`] : []),
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`, "connect-src 'self'"] : []),
    `form-action ${["'self'", ...forms].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
