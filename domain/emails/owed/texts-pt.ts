import type { OwedKind, OwedText, TableWords } from './kinds.ts'

const HELLO = 'Olá{% if contact.first_name %}, {{ contact.first_name }}{% endif %},'

export const TABLE_PT: TableWords = {
  item: 'Item',
  quantity: 'Quantidade',
  amount: 'Valor',
  total: 'Total',
  discount: 'Desconto',
  shipping: 'Frete',
  tax: 'Impostos',
}

/** Mails that somebody is owed, in Portuguese. */
export const TEXTS_PT: Readonly<Record<OwedKind, OwedText>> = {
  order_confirmation: {
    subject: 'Seu pedido {{ order.number }}',
    preheadline: 'Recebemos seu pedido. Obrigado!',
    heading: 'Obrigado pelo seu pedido',
    paragraphs: [HELLO, 'recebemos seu pedido {{ order.number }}. Você pediu:'],
  },
  order_shipped: {
    subject: 'Seu pedido {{ order.number }} está a caminho',
    preheadline: 'Seu pacote foi enviado.',
    heading: 'Seu pacote foi enviado',
    paragraphs: [
      HELLO,
      'seu pedido {{ order.number }} está a caminho{% if shipment.carrier %} com {{ shipment.carrier }}{% endif %}.',
      '{% if shipment.tracking_number %}Código de rastreamento: {{ shipment.tracking_number }}{% endif %}',
    ],
    button: 'Rastrear o pacote',
  },
  payment_failed: {
    subject: 'Seu pagamento a {{ business_name }} não foi concluído',
    preheadline: 'Pague novamente para que nada seja interrompido.',
    heading: 'Seu pagamento não foi concluído',
    paragraphs: [
      HELLO,
      'não conseguimos cobrar {{ amount }} referente a {{ order.number }}.',
      'Verifique se o seu cartão pode ser cobrado e pague. Nós também tentaremos novamente.',
    ],
    button: 'Pagar agora',
  },
  subscription_ended: {
    subject: 'Sua assinatura {{ order.number }} terminou',
    preheadline: 'Você não será mais cobrado.',
    heading: 'Sua assinatura terminou',
    paragraphs: [HELLO, 'sua assinatura {{ order.number }} terminou. Você não será mais cobrado.'],
  },
  download_ready: {
    subject: 'Seus downloads do pedido {{ order.number }}',
    preheadline: 'Seus arquivos estão prontos.',
    heading: 'Seus arquivos estão prontos',
    paragraphs: [HELLO, 'aqui está o que você comprou no pedido {{ order.number }}:'],
  },
  opt_in_confirmation: {
    subject: 'Confirme seu endereço de e-mail',
    preheadline: 'Falta só um clique.',
    heading: 'Confirme seu endereço de e-mail',
    paragraphs: [
      'Alguém informou este endereço em uma página de {{ business_name }}. Se foi você, confirme que deseja receber nossos e-mails.',
    ],
    button: 'Confirmar',
    note: 'Se não foi você, ignore esta mensagem. Você não receberá outros e-mails.',
  },
  sign_in: {
    subject: 'Seu link para entrar em {{ business_name }}',
    preheadline: 'Ele funciona uma vez, durante uma hora.',
    heading: 'Entrar',
    paragraphs: [HELLO, 'com este link você entra em {{ business_name }}. Ele funciona uma vez, durante uma hora.'],
    button: 'Entrar',
    note: 'Se você não pediu este link, ignore esta mensagem: ela não conecta ninguém. Não a encaminhe.',
  },
}
