/** How long deliveries from hosts are kept once they are done. */
export const defaultHookMemoryDays = 30;
