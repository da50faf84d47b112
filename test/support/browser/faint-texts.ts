/**
 * An expression for a page: the texts whose contrast with what is behind them is below 4.5 : 1 (WCAG 1.4.3). Texts that
 * are selected, buttons that are disabled and placeholders are among them.
 */
export const FAINT_TEXTS = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parsed = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { parts: [red, green, blue], alpha: alpha / 255 };
  };
  const over = ({ parts, alpha }, lower) =>
    parts.map((part, index) => part * alpha + lower[index] * (1 - alpha));
  const behind = (element) => element === null
    ? [255, 255, 255]
    : over(parsed(getComputedStyle(element).backgroundColor), behind(element.parentElement));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const faint = [];
  const check = (text, colour, background) => {
    const [light, dark] = [luminance(over(parsed(colour), background)), luminance(background)]
      .sort((one, other) => other - one);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) faint.push(ratio.toFixed(2) + ' ' + text.trim().slice(0, 60));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() === '' || element.closest('noscript')) continue;
    if (!element.checkVisibility()) continue;
    check(node.textContent, getComputedStyle(element).color, behind(element));
    const selection = getComputedStyle(element, '::selection');
    const selected = over(parsed(selection.backgroundColor), behind(element));
    check('selected: ' + node.textContent, selection.color, selected);
  }
  for (const field of document.querySelectorAll('input[placeholder]')) {
    const { color } = getComputedStyle(field, '::placeholder');
    check('placeholder: ' + field.placeholder, color, behind(field));
  }
  return faint;
})()`;
