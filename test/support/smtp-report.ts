import { connect } from 'node:net'

/** Hands a report about a mail over by SMTP. @returns the codes of the answers */
export const reportTo = async (port: number, recipient: string, mail: Buffer): Promise<readonly number[]> => {
  const socket = connect(port, '127.0.0.1')
  const said = ['EHLO mx.far.example', 'MAIL FROM:<>', `RCPT TO:<${recipient}>`, 'DATA', mail, 'QUIT']
  const codes: number[] = []
  let text = ''
  for await (const piece of socket) {
    text += String(piece)
    const lines = text.split('\r\n')
    text = lines.pop() ?? ''
    for (const line of lines.filter((one) => /^\d{3} /.test(one))) {
      codes.push(Number(line.slice(0, 3)))
      if (codes.at(-1)! >= 500) return codes
      const next = said.shift()
      if (Buffer.isBuffer(next)) socket.write(Buffer.concat([next, Buffer.from('\r\n.\r\n')]))
      else if (next !== undefined) socket.write(`${next}\r\n`)
    }
  }
  return codes
}
