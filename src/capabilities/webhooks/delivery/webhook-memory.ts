/** How long deliveries to webhooks are kept. */
export const defaultWebhookMemoryDays = 14;
