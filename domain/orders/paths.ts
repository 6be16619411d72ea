/** Returns the path of an order on the members' side. */
export const orderPath = (orderId: number): string => `/members/orders/${orderId}`

/** Returns the path of a file that an order gives, on the members' side. */
export const orderFilePath = (orderId: number, fileId: number): string => `${orderPath(orderId)}/downloads/${fileId}`
