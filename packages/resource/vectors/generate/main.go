// Prints how kubectl reads YAML, as test vectors: `go run . > ../kubectl-yaml.json`.
//
// kubectl hands each document to sigs.k8s.io/yaml. Each vector is a text with the JSON that the module makes of it, or null for an error.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

// scalars are plain scalars that some version of YAML or some reader takes for more than text.
var scalars = strings.Fields(`
y Y yes Yes YES yEs n N no No NO nO true True TRUE tRue false False FALSE on On ON oN off Off OFF oFF t f null Null NULL nULL ~ ~~ none None nil
0 00 01 010 0o10 0O10 0o8 08 09 019 0777 -010 +010 -0o17 0644 0o644 0x1F 0X1f 0x1g 0x -0x10 +0x10 0b11 0B11 0b2 0b -0b11 +0b11 -0b 0_1 0b1_0 0x_f 0x1_f
1 -1 +1 --1 +-1 1_000 1__0 1_ _1 -_1 +_1 1,000 12e03 1e3 1E3 1e+3 1e-3 1e 1e+ e1 1.5 -1.5 +1.5 1. .5 -.5 +.5 . -. +. .. 1..2 1.2.3 .1_0 .1__0 .1_ ._1 .1e1_0 .1e_1 1_0.5 1.5_0 .5e3 .e1 1.e1
685.230_15e+03 685_230.15 190:20:30 190:20:30.15 12:30:45 1:2 0:0 22:22 .inf .Inf .INF .iNF -.inf +.inf +.Inf -.INF inf Inf -inf .nan .NaN .NAN NaN nan
1e400 -1e400 .1e400 1e308 5e-324 1e-400 0.1 0.30000000000000004 1e21 1e20 123456789012 9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808
-9223372036854775809 18446744073709551615 18446744073709551616 0xFFFFFFFFFFFFFFFF 0x10000000000000000 01777777777777777777777 01777777777777777777770000 0b1111111111111111111111111111111111111111111111111111111111111111 0b11111111111111111111111111111111111111111111111111111111111111111
2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43Z 20010101 2001-13-45 10.0.0.0/8 10s 5m 1h 100m 2Gi 1.5Gi v1 1.10 1.20 0.10 3.0 1.0 -0 -0.0 +0 0.0 0e0 00.5 007.5
= << <<a a b - -- --- ... a-b a_b a.b /x *x.y? $x ^x (x) x:y ::1 0::1 a:b:c 0xg 0x1p4 0x1.8 1f 1d 1L infinity 1_e3 1e_3 1e3_ 0b-1 0b+1 -0b-1 0b-2 +_ -_ 0_ 0__ 0x_ 0_x1 0_b1 0_o7
`)

// keys are more keys, for their numbers in 32 bits.
var keys = strings.Fields(`0.1234567891 16777217.0 1234567.5 123456.7 1e6 1e5 1e-4 1e-5 100000.0 1000000.0 3.4e38 1e39 1e-46 0.1 1.1 1.25e2 12345678.9`)

// documents are whole documents.
var documents = []string{
	"a: 'yes'", "a: \"010\"", "a: |\n  yes\n", "a: >\n  010\n", "- yes\n- 010\n", "{a: yes, b: [010, ~]}", "a:\nb: ''\n", "a: !!str yes", "a: !!str 010",
	"a: !!bool 'yes'", "a: !!bool 1", "a: !!int '010'", "a: !!int 1.5", "a: !!int x", "a: !!float 1", "a: !!float '1e3'", "a: !!float x", "a: !!null ''",
	"a: !!null x", "a: !!binary aGk=", "a: !!binary '####'", "a: !!timestamp 2001-01-01", "a: !!str\nb: 1", "'yes': 1", "\"010\": 1", "? yes\n: no\n",
	"a: &x yes\nb: *x\n", "b: &x {p: 80, q: 1}\na: {<<: *x, p: 443}\n", "b: &x {p: 80, q: 1}\na: {p: 443, <<: *x}\n",
	"b: &x {p: 80}\nc: &y {p: 1, q: 2}\na: {<<: [*x, *y]}\n", "b: &x {p: 80}\nc: &y {p: 1, q: 2}\na: {r: 3, <<: [*y, *x], q: 4}\n",
	"b: &x {p: {s: 1}}\na: {p: {t: 2}, <<: *x}\n", "a: {'<<': 1}", "a: {<<: 1}", "a: {<<: {p: yes}}", "yes: 1\ntrue: 2\n", "1: a\n'1': b\n", "010: a\n8: b\n",
	"a: yes # comment\n", "a: yes\n  no\n", "a: 0x1F\n", "a: [yes, no, on, off, y, n]\n", "a: {y: 1, n: 2}\n", "labels:\n  on: off\n  1.10: 1.10\n",
	"version: 1.10\n", "mode: 0644\n", "time: 12:30:45\n", "date: 2001-01-01\n", "~: 1\n", "null: 1\n", "a: {~: 1}\n", "18446744073709551615: a\n", "[a]: 1\n", "{a: b}: 1\n",
	"a: 1\na: 2\n", "a: .inf", "a: .nan", ".inf: 1", "a: \"\\u0041\"", "a: 'it''s'", "a: b: c", "a: - b", "%YAML 1.1\n---\na: yes\n",
}

func main() {
	random := rand.New(rand.NewSource(1))
	for range 3000 {
		scalars = append(scalars, word(random, "0123456789", "0123456789+-._xXobeE"))
		scalars = append(scalars, word(random, "+-.0", "0123456789+-._xobeEinfaN"))
	}
	keys = append(keys, scalars[:len(scalars)-5000]...)
	out := map[string]any{}
	for name, texts := range map[string][]string{
		"values": formatted("a: %s\n", scalars), "keys": formatted("%s: 1\n", keys), "documents": documents,
	} {
		answers := map[string]json.RawMessage{}
		for _, text := range texts {
			answer, err := yaml.YAMLToJSON([]byte(text))
			if err != nil {
				answer = []byte("null")
			}
			answers[text] = answer
		}
		out[name] = answers
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(text.Bytes())
}

func formatted(form string, texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = fmt.Sprintf(form, text)
	}
	return all
}

func word(random *rand.Rand, first string, rest string) string {
	text := []byte{first[random.Intn(len(first))]}
	for range random.Intn(7) {
		text = append(text, rest[random.Intn(len(rest))])
	}
	return string(text)
}
