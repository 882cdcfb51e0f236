import { describe, expect, it } from 'vitest';
import { parseUrl } from './parse-url.ts';

describe('parseUrl', () => {
  it.each([
    ['https://shop.example.com/cart', { host: 'shop.example.com', path: '/cart' }, 443],
    ['shop.example.com', { host: 'shop.example.com', path: '/' }, 80],
    ['shop.example.com:8080/a?b=c', { host: 'shop.example.com', path: '/a?b=c', port: 8080 }, undefined],
    ['https://shop.example.com:443/', { host: 'shop.example.com', path: '/', port: 443 }, undefined],
    ['http://[2001:db8::1]:8080/', { host: '[2001:db8::1]', path: '/', port: 8080 }, undefined],
    [
      'grpc://search.example.com/index.Search/Query',
      { host: 'search.example.com', path: '/index.Search/Query' },
      undefined,
    ],
    ['udp://dns.example.com:53', { host: 'dns.example.com', path: '/', port: 53, transport: 'UDP' }, undefined],
  ])('reads %s', (url, request, usualPort) => {
    expect(parseUrl(url, {})).toMatchObject({ request, usualPort });
  });

  it('takes the method and headers of flags, and the host of a Host header', () => {
    const { request } = parseUrl('http://10.0.0.1/', {
      method: 'POST',
      header: ['Host: shop.example.com', 'X-Canary:yes'],
    });
    expect(request).toMatchObject({ host: 'shop.example.com', method: 'POST', headers: [['X-Canary', 'yes']] });
  });

  it.each(['', 'http://', 'ftp://files.example.com/'])('refuses "%s"', (url) => {
    expect(() => parseUrl(url, {})).toThrow(/is not a URL; write https:\/\/shop\.example\.com\/cart/);
  });

  it.each(['X-Canary', ':yes', ''])('refuses the header "%s", which lacks a name or a value', (header) => {
    expect(() => parseUrl('example.com', { header: [header] })).toThrow(
      `-H "${header}" is not a header; write name:value`,
    );
  });
});
