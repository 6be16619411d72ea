/** Why a mailing pauses, in a sentence for whoever sees its word. Words are stored. */
const SENTENCES: Readonly<Record<string, string>> = {
  connection: 'The mail server cannot be reached',
  dropped: 'The mail server ends the connection',
  server: 'The mail server refuses to be used',
  server_busy: 'The mail server asks to come again later',
  login: 'The mail server refuses the log-in, or wants one: check the user and password of SMTP_URL',
  no_tls:
    'The mail server offers no TLS, so nothing is sent to it: use one that does, or add tls=no to SMTP_URL to do without',
  tls: 'TLS with the mail server fails, as where its certificate is not valid for its name',
  quota: 'The mail server takes no more mail for now: too much was sent',
  sender: 'Servers refuse the sender: check the records of its domain, and whether its address exists',
  relay: 'The mail server passes nothing on for this installation: check SMTP_URL and the rules of the server',
  listed: 'Servers refuse the address of the mail server: it is on a list of senders of unwanted mail, or has no name',
  refused_all: 'The mail server has refused several recipients in a row with the same answer',
  internal: 'Mails cannot be written: see the log of the process',
}

/** Faults that do not pass by themselves, so that somebody is told at once. */
const LASTING = ['login', 'no_tls', 'relay', 'listed', 'sender', 'refused_all']

/** Returns what a fault is, in a sentence. A word that is unknown stays as it is. */
export const faultText = (fault: string): string => SENTENCES[fault] ?? fault

/** Whether a fault lasts until somebody does something. */
export const isLasting = (fault: string): boolean => LASTING.includes(fault)
