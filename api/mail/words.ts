import { placesAround } from '../../domain/kernel/values/characters.ts'

/** Languages of the pages that links of mails lead to. */
export const LANGUAGES = ['en', 'ja', 'pt'] as const
export type Language = (typeof LANGUAGES)[number]

/** Texts of the pages that links of mails lead to. `{address}` and `{business}` are filled in. */
export interface MailWords {
  readonly invalid: { readonly title: string; readonly text: string }
  readonly busy: { readonly title: string; readonly text: string }
  readonly unsubscribe: { readonly title: string; readonly text: string; readonly button: string }
  readonly unsubscribed: { readonly title: string; readonly text: string; readonly back: string }
  readonly preferences: {
    readonly title: string
    readonly text: string
    readonly subscribed: string
    readonly none: string
    readonly topics: string
    readonly suppressed: string
    readonly save: string
    readonly saved: string
  }
  readonly confirm: { readonly title: string; readonly text: string; readonly button: string }
  readonly confirmed: { readonly title: string; readonly text: string }
  readonly pay: {
    readonly title: string
    readonly text: string
    readonly button: string
    readonly underWay: string
    readonly paid: string
    readonly over: string
  }
}

const EN: MailWords = {
  invalid: { title: 'This link is not valid', text: 'It may have been cut. Please copy the whole link from the mail.' },
  busy: { title: 'One moment', text: 'The service is busy. Please try again in a moment.' },
  unsubscribe: {
    title: 'Unsubscribe',
    text: 'Do you want no more mail from {business} to {address}?',
    button: 'Unsubscribe',
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    text: '{address} gets no more mail of this kind from {business}. Mail about your orders still comes.',
    back: 'Change what you get',
  },
  preferences: {
    title: 'What you get',
    text: 'Choose what {business} sends to {address}.',
    subscribed: 'Send me mail',
    none: 'You get no mail of this kind at present.',
    topics: 'About what?',
    suppressed: 'Mail to this address was returned or reported, so nothing is sent to it.',
    save: 'Save',
    saved: 'Your choice was saved.',
  },
  confirm: {
    title: 'Confirm your address',
    text: 'Do you want mail from {business} to {address}?',
    button: 'Confirm',
  },
  confirmed: { title: 'Thank you', text: '{address} is confirmed.' },
  pay: {
    title: 'Your payment',
    text: '{business} could not charge your card. Make sure that it can be charged, and pay.',
    button: 'Pay now',
    underWay: 'Your card is being charged. You get a mail if that does not succeed.',
    paid: 'Thank you. This is paid.',
    over: 'This can no longer be paid here.',
  },
}

const PT: MailWords = {
  invalid: { title: 'Este link não é válido', text: 'Ele pode ter sido cortado. Copie o link inteiro do e-mail.' },
  busy: { title: 'Um momento', text: 'O serviço está ocupado. Tente novamente em instantes.' },
  unsubscribe: {
    title: 'Cancelar inscrição',
    text: 'Você não quer mais receber e-mails de {business} em {address}?',
    button: 'Cancelar inscrição',
  },
  unsubscribed: {
    title: 'Sua inscrição foi cancelada',
    text: '{address} não receberá mais e-mails deste tipo de {business}. Mensagens sobre seus pedidos continuam chegando.',
    back: 'Alterar o que você recebe',
  },
  preferences: {
    title: 'O que você recebe',
    text: 'Escolha o que {business} envia para {address}.',
    subscribed: 'Quero receber e-mails',
    none: 'No momento você não recebe e-mails deste tipo.',
    topics: 'Sobre quais assuntos?',
    suppressed: 'E-mails para este endereço voltaram ou foram denunciados, por isso nada é enviado a ele.',
    save: 'Salvar',
    saved: 'Sua escolha foi salva.',
  },
  confirm: {
    title: 'Confirme seu endereço',
    text: 'Você quer receber e-mails de {business} em {address}?',
    button: 'Confirmar',
  },
  confirmed: { title: 'Obrigado', text: '{address} está confirmado.' },
  pay: {
    title: 'Seu pagamento',
    text: '{business} não conseguiu cobrar o seu cartão. Verifique se ele pode ser cobrado e pague.',
    button: 'Pagar agora',
    underWay: 'Seu cartão está sendo cobrado. Se não der certo, você receberá um e-mail.',
    paid: 'Obrigado. Já está pago.',
    over: 'Isto não pode mais ser pago aqui.',
  },
}

const JA: MailWords = {
  invalid: {
    title: 'このリンクは無効です',
    text: 'リンクが途中で切れている可能性があります。メールのリンク全体をコピーしてください。',
  },
  busy: { title: '少々お待ちください', text: '混み合っています。しばらくしてからもう一度お試しください。' },
  unsubscribe: {
    title: '配信停止',
    text: '{business} から {address} へのメール配信を停止しますか。',
    button: '配信を停止する',
  },
  unsubscribed: {
    title: '配信を停止しました',
    text: '{business} からのこの種類のメールは {address} に届かなくなります。ご注文に関するメールは引き続き届きます。',
    back: '受け取るメールを変更する',
  },
  preferences: {
    title: '受け取るメール',
    text: '{business} が {address} に送るメールを選んでください。',
    subscribed: 'メールを受け取る',
    none: '現在、この種類のメールは届きません。',
    topics: '受け取るテーマ',
    suppressed: 'このアドレスへのメールは返送されたか、迷惑メールとして報告されたため、送信していません。',
    save: '保存する',
    saved: '設定を保存しました。',
  },
  confirm: {
    title: 'メールアドレスの確認',
    text: '{business} からのメールを {address} で受け取りますか。',
    button: '確認する',
  },
  confirmed: { title: 'ありがとうございます', text: '{address} を確認しました。' },
  pay: {
    title: 'お支払い',
    text: '{business} がカードに請求できませんでした。カードの状態をご確認のうえ、お支払いください。',
    button: '支払う',
    underWay: 'カードに請求しています。完了しなかった場合はメールでお知らせします。',
    paid: 'お支払いが完了しています。ありがとうございます。',
    over: 'こちらではお支払いいただけなくなりました。',
  },
}

const WORDS: Readonly<Record<Language, MailWords>> = { en: EN, ja: JA, pt: PT }

/** Returns the texts in the language that a browser prefers, by its `Accept-Language`. */
export const wordsFor = (
  accepted: (languages: string[]) => string | false,
): { readonly words: MailWords; readonly language: Language } => {
  const language = LANGUAGES.find((one) => one === accepted([...LANGUAGES])) ?? 'en'
  return { words: WORDS[language], language }
}

/** Fills values into a text. */
export const filled = (text: string, values: { readonly business: string; readonly address: string }): string =>
  text.replaceAll('{business}', values.business).replaceAll('{address}', values.address)

/** Shows an address so that its owner knows it and others learn little: `a…@f….example`. Mails are forwarded. */
export const masked = (address: string): string => {
  const [local = '', domain = ''] = address.split('@')
  const labels = domain.split('.')
  const hide = (text: string) => (text === '' ? '' : `${text.slice(0, placesAround(text, 1)[1])}…`)
  return `${hide(local)}@${[...labels.slice(0, -1).map(hide), labels.at(-1) ?? ''].join('.')}`
}
