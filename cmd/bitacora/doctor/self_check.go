package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// checkedLately is how old the latest checks of the night may be.
const checkedLately = 3 * 24 * time.Hour

// examineSelfCheck tells what the checks of the night found. What is wrong with the log goes before what follows from it.
func examineSelfCheck(ctx context.Context, d *doctor) finding {
	checked, err := app.SelfChecks(ctx, d.db)
	if err != nil {
		return unread(err)
	}
	if c := checked[app.CheckedLog]; len(c.Findings) > 0 {
		return failed(told(app.CheckedLog, c), advise("bitacora log check names all; tables are not made from it: bring a backup back, or the copy elsewhere, of before"))
	}
	if c := checked[app.CheckedTables]; len(c.Findings) > 0 {
		return failed(told(app.CheckedTables, c), run("bitacora rebuild --despite-differences"))
	}
	if c := checked[app.CheckedCopy]; len(c.Findings) > 0 {
		return failed(told(app.CheckedCopy, c), advise("remove the newest base backup there: bitacora serve makes another; what is damaged does not come back"))
	}
	log, was := checked[app.CheckedLog]
	switch {
	case !was:
		return fine("bitacora serve checks log and tables in the first night that it runs")
	case d.now().Sub(log.Latest) > checkedLately:
		return warn(fmt.Sprintf("log and tables were last checked on %s", log.Latest.In(d.clinic.Zone).Format(time.DateTime)), advise("let bitacora serve run at night; its log says why it does not check"))
	}
	return fine("log and tables are as they should be, by the checks of %s", log.Latest.In(d.clinic.Zone).Format(time.DateTime))
}

func told(what string, c app.Checked) string {
	return command.OneLine(fmt.Sprintf("the checks of the night found in the %s: %s", what, strings.Join(c.Findings, "; ")))
}
