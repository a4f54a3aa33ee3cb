package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bitacora/adapters/envfile"
	"bitacora/adapters/httpapi/password"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
)

// answer gathers the answers: those given in advance, those to questions, and what follows from them.
func (b *beginning) answer(ctx context.Context, set []string) error {
	b.answered = answers{}
	var mistakes []error
	for _, one := range set {
		key, value, is := strings.Cut(one, "=")
		value = strings.TrimSpace(value)
		if !is {
			mistakes = append(mistakes, fmt.Errorf("--set %s: is not like NAME=value", one))
		} else if err := b.answered.check(key, value); err != nil {
			mistakes = append(mistakes, err)
		} else {
			b.answered[key] = value
		}
	}
	if len(mistakes) > 0 {
		return command.Misuse(errors.Join(mistakes...))
	}
	if err := b.place(); err != nil {
		return err
	}
	for _, s := range interview() {
		if err := b.askSection(ctx, s); err != nil {
			return err
		}
	}
	if err := b.askPassword(ctx); err != nil {
		return err
	}
	c, err := settings.Load(b.answered.environ())
	if err != nil {
		return command.Misuse(err)
	}
	return RefuseRoot(c.Places()...)
}

// place decides where things lie, and makes the secrets.
func (b *beginning) place() error {
	file := b.answered["BITACORA_CLINIC_FILE"]
	b.clinic = cmp.Or(file, filepath.Join(filepath.Dir(b.config), "clinic.json"))
	for name, path := range map[string]string{"BITACORA_CLINIC_FILE": b.clinic, "BITACORA_DATA_DIR": cmp.Or(b.answered["BITACORA_DATA_DIR"], ".data")} {
		whole, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		b.answered[name] = whole
	}
	if _, err := os.Lstat(b.clinic); err == nil {
		b.has = true
		if _, err := app.ReadFacts(b.clinic); err != nil {
			return command.Misuse(fmt.Errorf("%s is there, and is kept; it has mistakes:\n%w", b.clinic, err))
		}
		fmt.Fprintf(b.out, "%s is there, and is kept.\n", b.clinic)
	}
	for name, secret := range map[string]string{
		"BITACORA_MASTER_KEY":       freshKey(settings.Config{DataDir: b.answered["BITACORA_DATA_DIR"], KeysDir: b.answered["BITACORA_KEYS_DIR"]}),
		"BITACORA_ANALYST_PASSWORD": rand.Text(),
		"BITACORA_WEBHOOK_SECRET":   rand.Text() + rand.Text(),
	} {
		if b.answered[name] == "" && b.answered[name+settings.FromFile] == "" && secret != "" {
			b.answered[name] = secret
		}
	}
	return nil
}

func (b *beginning) askSection(ctx context.Context, s section) error {
	titled := false
	for _, q := range s.questions {
		_, isSetting := settings.Find(q.key)
		_, told := b.answered[q.key]
		switch {
		case told || q.due != nil && !q.due(b.answered) || b.has && !isSetting && q.key != ownerKey:
			continue
		case b.yes:
			if isSetting { // nobody has told a fact by not being asked
				b.take(q, "")
			}
			continue
		case !titled:
			titled = true
			fmt.Fprintf(b.out, "\n%s\n", s.title)
		}
		if err := b.askQuestion(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// askQuestion asks until the answer can be taken. A script is not asked again.
func (b *beginning) askQuestion(ctx context.Context, q question) error {
	ask := b.in.Line
	if s, is := settings.Find(q.key); is && s.Secret && !strings.Contains(q.example, "://") {
		ask = b.in.Secret
	}
	for {
		value, err := ask(ctx, "  "+q.String()+": ")
		if err != nil {
			return err
		}
		value = strings.TrimSpace(value)
		err = b.answered.check(q.key, value)
		if err == nil {
			b.take(q, value)
			return nil
		}
		if !b.in.Terminal {
			return command.Misuse(err)
		}
		fmt.Fprintf(b.out, "    %v\n", err)
	}
}

// String is what is asked, with what an empty answer means.
func (q question) String() string {
	if q.standard != "" {
		return fmt.Sprintf("%s [%s]", q.text, q.standard)
	}
	if q.example != "" {
		return fmt.Sprintf("%s (like %s)", q.text, q.example)
	}
	return q.text
}

// take keeps an answer, or what an empty one stands for.
func (b *beginning) take(q question, value string) {
	if value = cmp.Or(value, q.standard); value != "" {
		b.answered[q.key] = value
	}
}

// askPassword asks for the password of the owner's account, where there is to be one.
func (b *beginning) askPassword(ctx context.Context) (err error) {
	email := b.answered[ownerKey]
	if email == "" {
		return nil
	}
	if b.yes && !b.passwordFromStdin {
		return command.Misuse(fmt.Errorf("the account of %s needs a password: give it with --%s", email, accounts.StdinFlag))
	}
	question := fmt.Sprintf("  Password, at least %d characters: ", password.MinLength)
	if b.yes {
		question = ""
	}
	for {
		if b.password, err = b.in.Secret(ctx, question); err != nil {
			return err
		}
		_, err = password.New(b.password, email, b.answered["name"])
		if err == nil && b.in.Terminal {
			var again string
			if again, err = b.in.Secret(ctx, "  Again: "); err == nil && again != b.password {
				err = errors.New("the two passwords differ")
			}
		}
		if err == nil {
			return nil
		}
		if !b.in.Terminal || ctx.Err() != nil {
			return command.Misuse(err)
		}
		fmt.Fprintf(b.out, "    %v\n", err)
	}
}

// helpWidth is how wide the comments of a configuration file are, in characters.
const helpWidth = 100

// configText is the configuration file: every setting with its help, those without an answer commented out.
func configText(a answers) ([]byte, error) {
	var b strings.Builder
	b.WriteString(`# Settings of Bitácora. The environment wins over them. Put 'single quotes' around a value with
# a space, a quote, #, $ or a backslash. bitacora serve --help shows the same list.
`)
	for _, s := range settings.All() {
		fmt.Fprintf(&b, "\n%s\n", paragraph(s.Help, "# "))
		name, value := s.Name, a[s.Name]
		if file := a[s.Name+settings.FromFile]; file != "" {
			name, value = s.Name+settings.FromFile, file
		}
		mark := ""
		if value == "" {
			mark, value = "#", s.Standard
		}
		line, err := envfile.Line(name, value)
		if err != nil {
			return nil, err
		}
		b.WriteString(mark + line + "\n")
	}
	return []byte(b.String()), nil
}

// paragraph breaks a text into lines that begin alike.
func paragraph(text, begin string) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(begin)+len(line)+1+len(word) > helpWidth {
			lines, line = append(lines, begin+line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, begin+line), "\n")
}
