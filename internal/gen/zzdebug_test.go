package gen_test
import ("testing";"strings")
func TestZZ(t *testing.T){
 for _,p:=range places{
  c,ok:=outline(t,strings.ReplaceAll(p.around,"TEXT",p.tame),p)
  n:=0
  var refused []string
  for _,b:=range breakouts{ if _,ok:=outline(t,strings.ReplaceAll(p.around,"TEXT",b),p);ok{n++} else {refused=append(refused,b)} }
  t.Log(p.name,ok,len(c),"accepted",n,"of",len(breakouts))
 }
}
