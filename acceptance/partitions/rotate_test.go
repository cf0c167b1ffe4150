package partitions

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/partitions/service/paymentapi"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/pgserver"
)

// ahead is how many days the partitions reach: the window's three and a week.
const ahead = 10

// A rotation makes the default partition and one of each day, and drops yesterday's, in
// UTC wherever the session is and however it writes dates. The next one has nothing to do.
func TestRotationMakesDays(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		for name, settings := range map[string]map[string]string{
			"usual":       {},
			"far east":    {"TimeZone": "Pacific/Kiritimati", "DateStyle": "SQL, DMY"},
			"far west":    {"TimeZone": "Pacific/Pago_Pago", "DateStyle": "German"},
			"old strings": {"standard_conforming_strings": "off", "IntervalStyle": "iso_8601"},
		} {
			t.Run(name, func(t *testing.T) {
				s := newService(t, server)
				pool := openPool(t, s.pool, func(c *pgxpool.Config) {
					for setting, value := range settings {
						c.ConnConfig.RuntimeParams[setting] = value
					}
				})
				for _, partition := range s.partitions() { // those that the schema made
					mustExec(t, s.pool, "DROP TABLE "+partition)
				}
				s.addDay(-1)
				tx := begin(t, pool)
				now := one[time.Time](t, tx, "SELECT now()")
				for _, want := range []int64{1, 0} {
					if dropped := rotate(t, tx); dropped != want {
						t.Errorf("dropped %d partitions, want %d", dropped, want)
					}
				}
				if err := tx.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
				got := map[string]string{}
				utc := begin(t, s.pool)
				if _, err := utc.Exec(t.Context(), "SET LOCAL timezone = 'UTC'"); err != nil {
					t.Fatal(err)
				}
				for _, line := range query[string](t, utc, `SELECT c.relname || ' ' || pg_get_expr(c.relpartbound, c.oid)
					FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = $1::text::regclass`, responsesTable) {
					name, bounds, _ := strings.Cut(line, " ")
					got[name] = bounds
				}
				want := map[string]string{responsesTable + "_default": "DEFAULT"}
				for day := range ahead + 1 {
					from := now.UTC().AddDate(0, 0, day)
					want[responsesTable+from.Format("_20060102")] = fmt.Sprintf("FOR VALUES FROM ('%s 00:00:00+00') TO ('%s 00:00:00+00')",
						from.Format(time.DateOnly), from.AddDate(0, 0, 1).Format(time.DateOnly))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("partitions (-want +got):\n%s", diff)
				}
			})
		}
	})
}

// Applying the schema again changes nothing, whatever the table holds.
func TestSchemaAgain(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		first, before := s.first("k", 1), s.partitions()
		mustExec(t, s.pool, readFile(t, splitSchema))
		if diff := cmp.Diff(before, s.partitions()); diff != "" {
			t.Errorf("partitions (-before +after):\n%s", diff)
		}
		s.wantReplay("k", 1, first)
	})
}

// A rotation drops the days that are over and nothing else: not today, in which a window
// may have ended, and nothing that it has not made. The keys stay closed.
func TestRotationDropsWhatIsOver(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		before := s.partitions()
		for _, days := range []int{-1, -2} {
			s.addDay(days)
		}
		mustExec(t, s.pool, "CREATE TABLE "+responsesTable+"_archive PARTITION OF "+responsesTable+" FOR VALUES FROM ('2001-01-01 00:00:00+00') TO ('2002-01-01 00:00:00+00')")
		live := s.first("live", 1)
		s.first("yesterday", 2)
		s.age("yesterday", 4)
		s.first("before", 3)
		s.age("before", 5)
		s.first("archived", 4)
		mustExec(t, s.pool, "UPDATE "+keysTable+" SET replay_until = '2001-05-01' WHERE idempotency_key = 'archived'")
		mustExec(t, s.pool, "UPDATE "+responsesTable+" AS r SET replay_until = k.replay_until FROM "+keysTable+" AS k WHERE k.response_id = r.response_id")
		for _, key := range []string{"yesterday", "before", "archived"} {
			s.wantClosed(key, map[string]int64{"yesterday": 2, "before": 3, "archived": 4}[key])
		}
		if got := []string{s.partitionOf("yesterday"), s.partitionOf("before"), s.partitionOf("archived")}; !cmp.Equal(got, []string{s.day(-1), s.day(-2), responsesTable + "_archive"}) {
			t.Fatalf("the responses are in %v", got)
		}

		sweeper, err := idem.NewSweeper(s.pool, paymentapi.IdempotencyTables())
		if err != nil {
			t.Fatal(err)
		}
		swept, err := sweeper.Sweep(t.Context())
		if want := (idem.Swept{Dropped: 2}); err != nil || swept != want {
			t.Errorf("got %+v, %v; want %+v", swept, err, want)
		}
		want := append([]string{}, before[:len(before)-1]...)
		want = append(want, responsesTable+"_archive", responsesTable+"_default")
		if diff := cmp.Diff(want, s.partitions()); diff != "" {
			t.Errorf("partitions (-want +got):\n%s", diff)
		}
		s.wantClosed("yesterday", 2)
		s.wantClosed("before", 3)
		s.wantReplay("live", 1, live)
		if n := s.responses(); n != 2 {
			t.Errorf("got %d responses, want that of live and the archived one", n)
		}
		s.wantPayments(4)
	})
}

// While a day has no partition its responses go to the default one, and are replayed from
// there until their windows are over. Then it is emptied, and the day has its partition.
func TestMissingDay(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		spare := responsesTable + "_default"
		s.first("probe", 1)
		missing := s.partitionOf("probe")
		mustExec(t, s.pool, "DROP TABLE "+missing)
		s.wantClosed("probe", 1)

		first := s.first("k", 1)
		other := s.first("other", 1)
		if got := s.partitionOf("k"); got != spare {
			t.Fatalf("the response is in %s", got)
		}
		s.wantReplay("k", 1, first)
		stays := func() {
			t.Helper()
			if dropped := s.rotate(); dropped != 0 {
				t.Errorf("dropped %d partitions, want none", dropped)
			}
			if got := s.partitionOf("k"); got != spare {
				t.Errorf("the response is in %s", got)
			}
			s.wantReplay("k", 1, first)
		}
		stays()
		s.age("other", 4) // over, among one that is not
		stays()
		if n := one[int](t, s.pool, "SELECT count(*) FROM "+spare); n != 1 {
			t.Errorf("got %d responses, want the one that is not over", n)
		}
		s.age("k", 4)
		s.wantClosed("k", 1)
		if dropped := s.rotate(); dropped != 0 {
			t.Errorf("dropped %d partitions, want none", dropped)
		}
		if n := one[int](t, s.pool, "SELECT count(*) FROM "+spare); n != 0 {
			t.Errorf("got %d responses in the default partition, want none", n)
		}
		s.wantClosed("k", 1)
		s.wantClosed("other", 1)
		if other == first {
			t.Errorf("two payments have one answer %+v", other)
		}
		later := s.first("later", 1)
		if got := s.partitionOf("later"); got != missing {
			t.Errorf("the response is in %s, want %s", got, missing)
		}
		s.wantReplay("later", 1, later)
	})
}

// The default partition is not emptied by whoever would not see what was recorded last.
func TestDefaultAndSnapshots(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		spare := responsesTable + "_default"
		s.first("old", 1)
		s.age("old", 4)
		if got := s.partitionOf("old"); got != spare {
			t.Fatalf("the response is in %s", got)
		}
		s.first("probe", 1)
		mustExec(t, s.pool, "DROP TABLE "+s.partitionOf("probe"))
		tx, err := s.pool.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(context.Background()) }() // if it is still open
		one[int](t, tx, "SELECT 1")                              // its snapshot, and no lock
		first := s.first("k", 1)
		if dropped := rotate(t, tx); dropped != 0 {
			t.Errorf("dropped %d partitions, want none", dropped)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.wantReplay("k", 1, first)
	})
}

// A response is recorded in the default partition while a rotation waits to empty it.
func TestDefaultIsLookedAtAgain(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.first("old", 1)
		s.age("old", 4)
		s.first("probe", 1)
		mustExec(t, s.pool, "DROP TABLE "+s.partitionOf("probe"))
		mustExec(t, s.pool, "ALTER FUNCTION rotate_"+responsesTable+" SET lock_timeout = '10min'")
		entered, goOn := make(chan struct{}), make(chan struct{})
		s.before = func(ctx context.Context, tx pgx.Tx) error { // holds the lock that its finish will want
			_, err := tx.Exec(ctx, "LOCK TABLE "+responsesTable+"_default IN ROW EXCLUSIVE MODE")
			close(entered)
			<-goOn
			return err
		}
		release := sync.OnceFunc(func() { close(goOn) })
		defer release()
		called := make(chan reply, 1)
		go func() { called <- s.pay("k", 1) }()
		<-entered
		rotated := make(chan int64, 1)
		go func() {
			dropped, err := tryRotate(t, s.pool)
			if err != nil {
				t.Error(err)
			}
			rotated <- dropped
		}()
		waits := "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = $1::text::regclass"
		for one[int](t, s.pool, waits, responsesTable+"_default") == 0 {
			select {
			case <-rotated:
				t.Fatal("the rotation does not wait for the lock")
			default:
				runtime.Gosched()
			}
		}
		release()
		first := <-called
		if dropped := <-rotated; dropped != 0 {
			t.Errorf("dropped %d partitions, want none", dropped)
		}
		if first.Status != 201 || first.Replayed {
			t.Fatalf("got %+v, want a first execution", first)
		}
		s.before = nil
		s.wantReplay("k", 1, first)
	})
}

// Somebody's open transaction has read a response. Rotations leave what they would wait
// for, and while it stays open calls are answered. Afterwards all of it is done.
func TestLongReader(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		old := s.addDay(-1)
		s.first("spare", 1)
		s.age("spare", 6) // in the default partition
		first := s.first("k", 1)
		missing := s.day(ahead)
		mustExec(t, s.pool, "DROP TABLE "+missing)
		before := s.partitions()

		reader := begin(t, s.pool)
		one[int](t, reader, "SELECT count(*) FROM "+responsesTable)
		rotated := make(chan int64)
		go func() {
			defer close(rotated)
			for range 3 {
				dropped, err := tryRotate(t, s.pool)
				if err != nil {
					t.Error(err)
				}
				rotated <- dropped
			}
		}()
		replays := 0
		for done := false; !done; {
			select {
			case dropped, more := <-rotated:
				done = !more
				if dropped != 0 {
					t.Errorf("dropped %d partitions, want none", dropped)
				}
			default:
				s.wantReplay("k", 1, first)
				s.first(fmt.Sprint("new", replays), 1)
				replays++
			}
		}
		if diff := cmp.Diff(before, s.partitions()); diff != "" {
			t.Errorf("partitions, while somebody reads (-before +after):\n%s", diff)
		}
		if err := reader.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if dropped := s.rotate() + s.rotate(); dropped != 1 { // drops, and makes
			t.Errorf("dropped %d partitions, want 1", dropped)
		}
		for _, partition := range s.partitions() {
			if partition == old {
				t.Errorf("%s is still there", old)
			}
		}
		if got := s.partitions(); !strings.Contains(strings.Join(got, " "), missing) {
			t.Errorf("%s is not there: %v", missing, got)
		}
		if n := one[int](t, s.pool, "SELECT count(*) FROM "+responsesTable+"_default"); n != 0 {
			t.Errorf("got %d responses in the default partition, want none", n)
		}
		s.wantReplay("k", 1, first)
	})
}

// A reader that was told which partitions there are, and is held up before it reads
// them, would miss what is recorded in a later one: none is made meanwhile.
func TestReaderThatPlanned(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		missing := s.day(ahead)
		mustExec(t, s.pool, "DROP TABLE "+missing)
		holder := begin(t, s.pool)
		if _, err := holder.Exec(t.Context(), "LOCK TABLE "+s.day(0)+" IN ACCESS EXCLUSIVE MODE"); err != nil {
			t.Fatal(err)
		}
		read := make(chan error, 1)
		go func() {
			_, err := s.pool.Exec(context.Background(), "SELECT count(*) FROM "+responsesTable)
			read <- err
		}()
		for waits := false; !waits; {
			waits = one[bool](t, s.pool, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = $1::text::regclass)", s.day(0))
		}
		s.rotate()
		if one[bool](t, s.pool, "SELECT to_regclass($1) IS NOT NULL", missing) {
			t.Errorf("%s was made under a reader that does not know of it", missing)
		}
		if err := holder.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-read; err != nil {
			t.Fatal(err)
		}
		s.rotate()
		if !one[bool](t, s.pool, "SELECT to_regclass($1) IS NOT NULL", missing) {
			t.Errorf("%s is not there", missing)
		}
	})
}

// One rotation at a time: the second does nothing, and does not wait for the first.
func TestTwoRotations(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.addDay(-1)
		tx := begin(t, s.pool)
		if dropped := rotate(t, tx); dropped != 1 {
			t.Fatalf("dropped %d partitions, want 1", dropped)
		}
		if dropped := s.rotate(); dropped != 0 {
			t.Errorf("beside another: dropped %d partitions, want none", dropped)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		if dropped := s.rotate(); dropped != 1 {
			t.Errorf("after it was undone: dropped %d partitions, want 1", dropped)
		}

		s.addDay(-1)
		s.addDay(-2)
		var mu sync.Mutex
		var group sync.WaitGroup
		total := int64(0)
		for range 8 {
			group.Go(func() {
				dropped, err := tryRotate(t, s.pool)
				mu.Lock()
				defer mu.Unlock()
				total += dropped
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if total != 2 {
			t.Errorf("eight at once dropped %d partitions, want 2", total)
		}
	})
}

// While partitions come and go, every replay is whole and every new key is executed.
func TestReplayDuringRotation(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		const keys = 8
		firsts := make([]reply, keys)
		for i := range firsts {
			firsts[i] = s.first(fmt.Sprint("k", i), int64(i))
		}
		s.addDay(-1)
		s.first("over", 1)
		s.age("over", 4)
		stop := make(chan struct{})
		var group sync.WaitGroup
		end := sync.OnceFunc(func() {
			close(stop)
			group.Wait()
		})
		defer end()
		for i := range keys {
			group.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					s.wantReplay(fmt.Sprint("k", i), int64(i), firsts[i])
					if got := s.pay(fmt.Sprintf("new%d-%d", i, n), 1); got.Status != 201 || got.Replayed {
						t.Errorf("got %+v, want a first execution", got)
					}
					s.wantClosed("over", 1)
				}
			})
		}
		last := s.day(ahead)
		dropped, made := int64(0), 0
		for range 10 {
			mustExec(t, s.pool, "DROP TABLE IF EXISTS "+last)
			dropped += s.rotate() + s.rotate() // drops, and makes
			if one[bool](t, s.pool, "SELECT to_regclass($1) IS NOT NULL", last) {
				made++
			}
			mustExec(t, s.pool, "DROP TABLE IF EXISTS "+s.day(-1)) // if the rotation left it
			s.addDay(-1)
		}
		end()
		if dropped == 0 || made == 0 {
			t.Errorf("ten rotations dropped %d partitions and made %d, want some", dropped, made)
		}
	})
}

// Whoever is not the owner is told so at once, and not on the day on which there is
// something to do. Partitions belong to the table's owner, whoever makes them.
func TestRotationNeedsTheOwner(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		owner, member, stranger := s.role(), s.role(), s.role()
		mustExec(t, s.pool, "GRANT "+owner+" TO "+member)
		mustExec(t, s.pool, "GRANT CREATE, USAGE ON SCHEMA public TO "+owner+", "+member+", "+stranger)
		for _, table := range append(s.partitions(), keysTable, responsesTable) {
			mustExec(t, s.pool, "ALTER TABLE "+table+" OWNER TO "+owner)
		}
		mustExec(t, s.pool, "GRANT SELECT, INSERT ON "+responsesTable+", "+responsesTable+"_default TO "+stranger)

		_, err := tryRotate(t, s.as(stranger))
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "42501" || !strings.Contains(refused.Message, "owner of table "+responsesTable) {
			t.Errorf("a stranger: got %v, want 42501 that names the table", err)
		}
		for _, role := range []string{member, owner} {
			mustExec(t, s.pool, "DROP TABLE "+s.day(ahead))
			mustExec(t, s.pool, "ALTER TABLE "+s.addDay(-1)+" OWNER TO "+owner)
			if dropped := rotate(t, s.as(role)); dropped != 1 {
				t.Errorf("%s: dropped %d partitions, want 1", role, dropped)
			}
			rotate(t, s.as(role)) // makes what is missing
		}
		mustExec(t, s.pool, "DROP TABLE "+s.day(ahead))
		s.rotate() // as somebody else who may
		owners := query[string](t, s.pool, `SELECT DISTINCT pg_get_userbyid(c.relowner)::text FROM pg_inherits AS i
			JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = $1::text::regclass`, responsesTable)
		if diff := cmp.Diff([]string{owner}, owners); diff != "" {
			t.Errorf("owners (-want +got):\n%s", diff)
		}
	})
}

// The owner who may not make tables is told so at once, too.
func TestRotationNeedsTheSchema(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		owner := s.role()
		for _, table := range append(s.partitions(), keysTable, responsesTable) {
			mustExec(t, s.pool, "ALTER TABLE "+table+" OWNER TO "+owner)
		}
		mustExec(t, s.pool, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
		_, err := tryRotate(t, s.as(owner))
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "42501" || !strings.Contains(refused.Message, "schema public") {
			t.Errorf("got %v, want 42501 that names the schema", err)
		}
	})
}

// What somebody has built upon one partition keeps that one, and not the others.
func TestDependents(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		kept, old := s.addDay(-2), s.addDay(-1)
		mustExec(t, s.pool, "CREATE VIEW report AS SELECT count(*) FROM "+kept)
		missing := s.day(ahead)
		mustExec(t, s.pool, "DROP TABLE "+missing)
		if dropped := s.rotate() + s.rotate(); dropped != 1 {
			t.Errorf("dropped %d partitions, want 1", dropped)
		}
		got := strings.Join(s.partitions(), " ")
		if !strings.Contains(got, kept) || strings.Contains(got, old) || !strings.Contains(got, missing) {
			t.Errorf("partitions: %s; want %s, not %s, and %s", got, kept, old, missing)
		}
	})
}

// To make a day is to read the default partition under a lock: one day at a time.
func TestDaysBesideAFullDefault(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		s.first("probe", 1)
		mustExec(t, s.pool, "DROP TABLE "+s.partitionOf("probe"))
		first := s.first("k", 1)
		for _, day := range []int{ahead, ahead - 1} {
			mustExec(t, s.pool, "DROP TABLE "+s.day(day))
		}
		for want := ahead - 1; want <= ahead+1; want++ { // with the default partition, and without one day
			if got := len(s.partitions()); got != want {
				t.Errorf("got %d partitions, want %d", got, want)
			}
			s.rotate()
			s.wantReplay("k", 1, first)
		}
	})
}

// A service that only serves needs two privileges, on what it names.
func TestServiceWithoutTheOwnersPrivileges(t *testing.T) {
	onEach(t, func(t *testing.T, server *pgserver.Server) {
		s := newService(t, server)
		role := s.role()
		mustExec(t, s.pool, "GRANT SELECT, INSERT ON "+keysTable+", "+responsesTable+", payments TO "+role)
		serving := newServiceOn(t, s.as(role))
		first := serving.first("k", 1)
		serving.wantReplay("k", 1, first)
		serving.wantRefused("k", 2, 422, "idempotency_key_reused")
		s.rotate()
		serving.wantReplay("k", 1, first)
	})
}

// role makes a role that is gone when the test is over, with all that it has.
func (s *service) role() string {
	s.t.Helper()
	role := "role_" + strings.ToLower(rand.Text())
	mustExec(s.t, s.pool, "CREATE ROLE "+role)
	s.t.Cleanup(func() {
		for _, sql := range []string{"DROP OWNED BY ", "DROP ROLE "} {
			if _, err := s.pool.Exec(context.Background(), sql+role); err != nil {
				s.t.Error(err)
			}
		}
	})
	return role
}

// as opens a pool on which statements run as a role.
func (s *service) as(role string) *pgxpool.Pool {
	s.t.Helper()
	return openPool(s.t, s.pool, func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["role"] = role })
}
