const DAY = 86_400_000;

/** The report on the day before a moment (epoch ms), as days are in a time zone. */
export function report(time, timeZone) {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(time - DAY);
  const orders = ordersOf(day);
  return { day, orders: orders.length, total: orders.reduce((sum, { cents }) => sum + cents, 0) };
}

/** Made up. Put your database in here, and what is done with the report. */
function ordersOf(day) {
  const [, month, date] = day.split('-').map(Number);
  return Array.from({ length: month + date }, (_, index) => ({ cents: 995 + 100 * index }));
}
