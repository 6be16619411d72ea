import { escapeHtml } from '../../domain/kernel/values/html.ts'

/** Nothing is fetched, and nothing runs. Frames inherit it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/**
 * Returns a page that shows a mail, whose body was written by others. The body is in a frame without any permission: no scripts, forms or pages that
 * are opened, and nothing is fetched.
 */
export const safePage = ({
  subject,
  from,
  to,
  html,
}: {
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly html: string
}): string =>
  [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(subject)}</title></head><body>`,
    `<p>From: ${escapeHtml(from)}<br>To: ${escapeHtml(to)}<br>Subject: ${escapeHtml(subject)}</p>`,
    `<iframe sandbox="" referrerpolicy="no-referrer" style="width:100%;height:90vh;border:0" srcdoc="${escapeHtml(html)}"></iframe>`,
    '</body></html>',
  ].join('\n')
