import type { OwedKind, OwedText, TableWords } from './kinds.ts'

const HELLO = '{% if contact.first_name %}{{ contact.first_name }} 様{% else %}お客様{% endif %}'

export const TABLE_JA: TableWords = {
  item: '商品',
  quantity: '数量',
  amount: '金額',
  total: '合計',
  discount: '割引',
  shipping: '送料',
  tax: '税',
}

/** Mails that somebody is owed, in Japanese. */
export const TEXTS_JA: Readonly<Record<OwedKind, OwedText>> = {
  order_confirmation: {
    subject: 'ご注文 {{ order.number }} を承りました',
    preheadline: 'ご注文ありがとうございます。',
    heading: 'ご注文ありがとうございます',
    paragraphs: [HELLO, 'ご注文 {{ order.number }} を承りました。ご注文の内容は次のとおりです。'],
  },
  order_shipped: {
    subject: 'ご注文 {{ order.number }} を発送しました',
    preheadline: '商品を発送しました。',
    heading: '商品を発送しました',
    paragraphs: [
      HELLO,
      'ご注文 {{ order.number }} の商品を{% if shipment.carrier %}{{ shipment.carrier }} で{% endif %}発送しました。',
      '{% if shipment.tracking_number %}追跡番号：{{ shipment.tracking_number }}{% endif %}',
    ],
    button: '荷物を追跡する',
  },
  payment_failed: {
    subject: '{{ business_name }} へのお支払いが完了していません',
    preheadline: 'お手数ですが、もう一度お支払いください。',
    heading: 'お支払いが完了していません',
    paragraphs: [
      HELLO,
      '{{ order.number }} のお支払い {{ amount }} を確認できませんでした。',
      'カードの状態をご確認のうえ、お支払いください。当店からも再度決済を試みます。',
    ],
    button: '支払う',
  },
  subscription_ended: {
    subject: '定期購入 {{ order.number }} が終了しました',
    preheadline: '今後のご請求はありません。',
    heading: '定期購入が終了しました',
    paragraphs: [HELLO, '定期購入 {{ order.number }} が終了しました。今後のご請求はありません。'],
  },
  download_ready: {
    subject: 'ご注文 {{ order.number }} のダウンロード',
    preheadline: 'ファイルの準備ができました。',
    heading: 'ファイルの準備ができました',
    paragraphs: [HELLO, 'ご注文 {{ order.number }} でお買い上げいただいたものはこちらです。'],
  },
  opt_in_confirmation: {
    subject: 'メールアドレスの確認をお願いします',
    preheadline: 'あと一度のクリックで完了します。',
    heading: 'メールアドレスの確認をお願いします',
    paragraphs: [
      '{{ business_name }} のページで、このメールアドレスが入力されました。ご本人の場合は、メールの受け取りを確認してください。',
    ],
    button: '確認する',
    note: 'お心当たりがない場合は、何もしないでください。今後メールは届きません。',
  },
  sign_in: {
    subject: '{{ business_name }} へのログイン用リンク',
    preheadline: '1 時間以内に一度だけ使えます。',
    heading: 'ログイン',
    paragraphs: [
      HELLO,
      '次のリンクから {{ business_name }} にログインできます。リンクは 1 時間以内に一度だけ使えます。',
    ],
    button: 'ログインする',
    note: 'お心当たりがない場合は、このメールを無視してください。このメールだけでログインされることはありません。ほかの人に転送しないでください。',
  },
}
