/** Lines of a mail, as they are sent. */
const lines = (...parts: readonly string[]): string => parts.join('\r\n')

const SENT = ['Message-ID: <own.123@shop.example>', 'From: shop@shop.example', 'To: ada@far.example', 'Subject: Hello']

/** Returns a report about a mail, of several parts. */
const report = (type: string, parts: readonly (readonly [type: string, content: string])[], headers = ''): Buffer =>
  Buffer.from(
    lines(
      `${headers}From: MAILER-DAEMON@mx.far.example`,
      'To: b+token@bounces.shop.example',
      'Subject: Report',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${type}; boundary="=-edge"`,
      '',
      'This is a report.',
      ...parts.flatMap(([type, content]) => ['--=-edge', `Content-Type: ${type}`, '', content]),
      '--=-edge--',
      '',
    ),
  )

/** Returns a delivery report with these fields about its recipients, and a text of the reporting server. */
export const deliveryReport = (...recipients: readonly string[]): Buffer =>
  report('delivery-status', [
    ['text/plain; charset=utf-8', 'Your mail could not be delivered.'],
    ['message/delivery-status', lines('Reporting-MTA: dns; mx.far.example', '', recipients.join('\r\n\r\n'), '')],
    ['message/rfc822', lines(...SENT, '', 'Hello Ada')],
  ])

/** Returns a complaint of a type about mails with these ids. */
export const complaint = (type: string, ...messageIds: readonly string[]): Buffer =>
  report('feedback-report', [
    ['text/plain', 'This is an abuse report.'],
    ['message/feedback-report', lines(`Feedback-Type: ${type}`, 'User-Agent: Loop/1.0', 'Version: 1', '')],
    ...messageIds.map(
      (id) => ['message/rfc822', lines(`Message-ID: <${id}>`, 'To: redacted@far.example', '', 'x')] as const,
    ),
  ])

/** Returns what somebody's mailbox answers by itself. */
export const autoReply = (): Buffer =>
  Buffer.from(
    lines(
      ...['From: ada@far.example', 'To: b+token@bounces.shop.example', 'Subject: Away', 'Auto-Submitted: auto-replied'],
      ...['', 'I am away. 550 5.1.1 is what I see out of my window.', ''],
    ),
  )
