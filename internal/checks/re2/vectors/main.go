// Writes what Go's regexp, which the API server uses, says of patterns and texts: go run main.go > re2.json
//
// The patterns are those of definitions.json, which stem from CustomResourceDefinitions of 21 projects, some by hand for each construct,
// and random ones, some of them malformed. The same seed gives the same file.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

const seed, randomPatterns, randomTexts = 37, 1800, 40

var texts = []string{
	"", "a", "b", "ab", "aB", "abc", "aaa", "\n", "a\n", "\na", "a\nb", "a\rb", " ", "\t", "\v", "\u00a0", "\u2028", "_", "-", "a-b", "a b",
	"é", "É", "ß", "ſ", "K", "k", "K", "σς", "日本", "😀", "a😀b", "0", "9", "٣", "10s", "1h30m", "5", "100Mi", "1.5e3", "/", "/cart", "/cart/7",
	"/api/v1/items?x=1", "shop", "shop.example.com", "*.example.com", "*", "https://shop.example.com:8443/a", "10.0.0.0/8", "fe80::1/64",
	"example.com/controller", "X-User-Id", "$host", "${a}b", "\"q\"", "\\", "^$", "(a)", "[a]", "{1}", "a+", "true", "None",
}

var byHand = []string{
	"", "a", "^a$", "^$", "(a+)+$", "^(a+)+$", "(a|aa)+$", "(.*a){12}", "^(a|b|ab)*c$", "a{2}", "a{2,}", "a{0}", "a{,2}", "a{2,1}", "a{1001}", "a{1000}",
	"(a{100}){11}", "(a{10}){10}", "a**", "a*+", "a??", "a++", "*a", "a|*", "(?i)é", "(?i)ß", "(?i)k", "(?i)ſ", "(?i)[a-z]", "(?i)[^a-z]", "(?s).", ".", "(?m)^b$",
	"(?U)a+", "(?i:a)b", "(?-i)a", "(?x)a b", "(?P<n>a)", "(?<n>a)", "(?'n'a)", "(?P=n)", "(a)\\1", "\\1", "\\k<n>", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(?>a)",
	"(?#a)", "a(?", "(", ")", "(a", "a)", "[", "[]", "[]a]", "[^]a]", "[^]", "[a", "[b-a]", "[a-]", "[-a]", "[a-b-c]", "[\\d-z]", "[[:alpha:]]", "[[:^alpha:]]", "[[:word:]]",
	"[[:foo:]]", "[:alpha:]", "[[.a.]]", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\v", "\\N", "\\R", "\\b", "\\B", "\\bé\\b", "\\<a", "\\A", "\\z", "\\Z", "\\Ga", "\\a", "\\f",
	"\\n", "\\e", "\\0", "\\07", "\\08", "\\123", "\\777", "\\x41", "\\x{41}", "\\x{110000}", "\\x{10ffff}", "\\x4", "\\x{", "\\u0041", "\\cA", "\\Qa+\\E", "\\Qa+", "\\E", "\\C", "\\X", "\\_",
	"\\-", "\\/", "\\'", "\\é", "\\", "a\\", "\\pL", "\\p{L}", "\\p{Lu}", "\\PL", "\\p{^L}", "\\P{^L}", "\\p{Greek}", "\\p{greek}", "\\p{Script=Greek}", "\\p{Letter}", "\\p{Any}", "\\pX",
	"(?i)\\p{Lu}", "(?i)\\P{Lu}", "[\\p{Lu}\\d]", "[^\\pL]", "\\p{", "\\p{L", "a|b|", "|a", "||", "()", "(|a)*", "(a*)*", "(a*)+", "(a|)+b", "(?:a?){3}a{3}", "^*", "$*", "\\b+", "^^a",
	"a$b", "a^b", "$^", "(^a|b$)", "[^\\n]", "[\\b]", "[\\B]", "[a&&b]", "[a--b]", "x{2}{3}", "x{a}", "x{", "{1}", "a{1", "a{1,", "(?i)\\x{212a}", "(?i)[\\x{212a}]", "(?s-m:a.b)$", "(?m-s)a.b",
	"\\x{D800}", "[\\x{D800}-\\x{DFFF}]", "😀", "[😀]", "[^😀]", "😀+", "(?i)Σ", "^.$", "^..$",
}

var pieces = []string{
	"a", "b", "c", "A", "B", "é", "ß", "k", "K", "σ", "0", "9", "/", "_", "-", " ", "\\.", ".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "^", "$", "\\A", "\\z",
	"[ab]", "[^ab]", "[a-c]", "[^a-c\\n]", "[\\w.]", "[^\\d]", "[[:alpha:]]", "[[:^space:]_]", "\\pL", "\\p{Lu}", "\\P{Greek}", "[\\p{Nd}-]", "\\x{e9}", "\\n", "\\Qa.b\\E", "ab", "abc",
}
var repeats = []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}", "{2,}", "{0}", "{1,3}?"}
var groups = []string{"(", "(?:", "(?i:", "(?s:", "(?m:", "(?P<n>", "(?U:", "(?-i:", "(?i-s:"}
var noise = []string{"(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", "-", ",", "1", "\\p", "(?", "[^", "[:", ":]", "x{", "é"}

func random(r *rand.Rand, depth int) string {
	var s strings.Builder
	for n := 1 + r.Intn(4); n > 0; n-- {
		switch {
		case depth > 0 && r.Intn(4) == 0:
			s.WriteString(groups[r.Intn(len(groups))] + random(r, depth-1) + ")")
		case r.Intn(8) == 0:
			s.WriteString("|")
			continue
		default:
			s.WriteString(pieces[r.Intn(len(pieces))])
		}
		if r.Intn(3) == 0 {
			s.WriteString(repeats[r.Intn(len(repeats))])
		}
	}
	return s.String()
}

// spoiled returns a pattern with one thing inserted, cut out or repeated.
func spoiled(r *rand.Rand, pattern string) string {
	runes := []rune(pattern)
	at := r.Intn(len(runes) + 1)
	switch r.Intn(3) {
	case 0:
		return string(runes[:at]) + noise[r.Intn(len(noise))] + string(runes[at:])
	case 1:
		return string(runes[:at])
	default:
		return string(runes[:at]) + string(runes[at/2:])
	}
}

// answers returns a hexadecimal digit for every four texts: the bit 8 is set if the first of the four matches.
func answers(pattern string) string {
	compiled := regexp.MustCompile(pattern)
	digits := make([]byte, (len(texts)+3)/4)
	for i, text := range texts {
		if compiled.MatchString(text) {
			digits[i/4] |= 8 >> (i % 4)
		}
	}
	for i, digit := range digits {
		digits[i] = "0123456789abcdef"[digit]
	}
	return string(digits)
}

func main() {
	r := rand.New(rand.NewSource(seed))
	alphabet := []string{"a", "b", "c", "A", "B", "é", "ß", "K", "σ", "0", "9", "/", "_", "-", " ", ".", "\n"}
	for range randomTexts {
		var s strings.Builder
		for n := 1 + r.Intn(7); n > 0; n-- {
			s.WriteString(alphabet[r.Intn(len(alphabet))])
		}
		texts = append(texts, s.String())
	}
	var patterns []string
	file, err := os.ReadFile("definitions.json")
	if err == nil {
		err = json.Unmarshal(file, &patterns)
	}
	if err != nil {
		panic(err)
	}
	patterns = append(patterns, byHand...)
	for range randomPatterns {
		pattern := random(r, 3)
		if r.Intn(5) == 0 {
			pattern = spoiled(r, pattern)
		}
		if utf8.RuneCountInString(pattern) <= 60 {
			patterns = append(patterns, pattern)
		}
	}
	seen := map[string]bool{}
	var lines []string
	for _, pattern := range patterns {
		if seen[pattern] {
			continue
		}
		seen[pattern] = true
		line := []string{pattern}
		if compiled, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			// The parsed form also closes a quotation that the pattern leaves open.
			line = append(line, answers(pattern), answers(`\A(?:`+compiled.String()+`)\z`))
		}
		lines = append(lines, quoted(line))
	}
	fmt.Printf("{\n\"texts\": %s,\n\"patterns\": [\n%s\n]\n}\n", quoted(texts), strings.Join(lines, ",\n"))
}

func quoted(value any) string {
	var s strings.Builder
	encoder := json.NewEncoder(&s)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(s.String())
}
