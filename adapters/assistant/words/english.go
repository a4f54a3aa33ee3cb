package words

import "strings"

// inEnglish are frequent words of English that are none of Spanish.
var inEnglish = Set(`the an is are was were be been am i you your yours we us our they their them it its this that these those there here
 my mine her hers him his she and or but because if then than so too also not dont doesnt didnt isnt arent wasnt cant cannot couldnt wont wouldnt shouldnt im ive id ill
 youre youve theres thats whats wheres hows its what when where which who whom whose why how do does did done doing can could would should will shall may might must
 have had having get gets got getting go goes going went gone come comes coming came take takes taking took taken make makes making made give given gave put want wants wanted wanna gonna gotta
 need needs needed like likes think know knows tell told say said says see seen saw look looking find found ask asking talk speak call called send sent
 help keep let try use used using work works working wait start started stop stopped feel feels felt show bring brought leave leaving left stay pay paid paying charge charges buy
 book booked schedule scheduled reschedule cancel cancelled canceled change changed move moved appointment appointments booking slot available availability
 to of for with without in on at by from into about after before during until since off up down out over under again back still yet already ever never always often sometimes
 any some every each many much more most less few lot lots little bit very really just only even else another other others both all anyone someone anything something everything nothing
 now today tomorrow tonight yesterday morning afternoon evening night noon day days week weeks month months year years old hour hours minute minutes time times late early soon long short next last first second third once twice
 monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekend weekends weekday weekdays holiday holidays christmas
 january february march april june july august september october november december
 tooth teeth toothache gum gums mouth jaw tongue lip cheek face molar wisdom root roots nerve baby milk braces aligners aligner retainer retainers wire veneer veneers crown crowns bridge bridges implant implants denture dentures
 filling fillings cavity cavities cleaning cleanings whitening whiten bleaching checkup surgery extraction extractions pulled pull removed remove toothbrush toothpaste floss flossing brush brushing mouthwash guard grinding grind clench clenching
 bleed bleeds bleeding swollen swelling hurt hurts hurting pain painful ache aches aching sore infection infected numb anesthesia anaesthesia sedation stitches xray xrays rays broke broken chipped cracked loose fell fall falls lost missing knocked
 dentist dentists orthodontist surgeon hygienist pediatrician patient patients clinic office staff team receptionist person human someone people
 child children kid kids daughter toddler boy girl husband wife mother mom mum father dad brother sister grandmother grandma grandpa friend parents family pregnant pregnancy breastfeeding nursing
 price prices cost costs cheap expensive discount discounts insurance cash card credit installments financing payment payments refund free quote money dollars
 open opens opened close closes closed address located location directions floor building parking elevator wheelchair ramp street near nearby map phone number
 hello good thank sorry please yes yeah ok okay sure great nice best better bad worse worst safe normally allowed allergic allergy scared afraid nervous anxious worried
 smoke smoking smoker drink drinking eat eating food coffee water alcohol sugar soft hard cold sweet medicine medicines medication pills antibiotics painkiller painkillers diabetic diabetes blood pressure heart disease fever
 different difference between instead same kind type types name english spanish language website website information data privacy delete share shared record records complaint complain rude
 write written wrote visit visits treatment treatments service services provide offer offers accept recommend recommended required necessary possible hi hey dear regarding concerning wondering kindly whether however
 white yellow stains stained straight crooked gap gaps bite healthy breath smell taste sensitive sensitivity fix fixed replace replaced repair replaced fit adjust tight wear worn
 sleep asleep awake car bus drive walk far close way place room waiting pets dog wait football soccer weather joke song poem homework capital president
 emergency emergencies ambulance nearest station aftercare bitch idiot stupid asshole fuck fucking u ur pls plz thx ty idk asap btw gonna kinda abt bc cuz wut rn tmrw tho whats yall dude bro`)

// inSpanish are frequent words of Spanish that are none of English.
var inSpanish = Set(`el la los las lo una unas unos un uno de del al y que en mi mis tu tus su sus se le les te nos con por para pero si sin como cuando donde quien quienes cual cuales cuanto cuanta cuantos cuantas porque
 es son era fue esta estan estoy estamos ser estar sea seria sera hay haber ha han hemos habia tengo tiene tienen tienes tenemos tener tenia puedo puede pueden puedes podria podrian poder quiero quiere quieren quieres quisiera queria querer
 necesito necesita necesitan hacer hace hacen hago hecho hice hizo haces voy va van vamos ir vas iba fui dar da dan doy dieron dio ver veo ven vea vi saber sabe saben sabes decir dicen digo dijo dijeron dime diga digame
 poner ponen pone pongo puso pusieron sacar sacan saca saque sacaron quitar quitan quita quitaron usar uso usan tomar tomo toma toman comer como comen comiendo llevar lleva llevo venir viene vengo salir sale salen salio
 atienden atiende atender aceptan acepta cobran cobra pagar pago pagos cuesta cuestan costo precio precios vale valen abren abre cierran cierra abierto abiertos cerrado trabajan trabaja ofrecen dejar deja dejo quedar queda quedan quedo pasar pasa paso
 sirve sirven duele duelen dolor molesta siento sentir conviene toca falta faltan creo espero entiendo gusta gustaria parece hablar llamar llamo llegar llego esperar pedir pido agendar reservar cancelar cambiar mover sacarme ponerme hacerme
 muy mas menos mucho mucha muchos muchas poco todo todos toda todas otro otra otros otras algo nada nadie alguien alguno alguna algun ningun ninguna cada mismo misma tan tanto tambien tampoco solo siempre nunca aun todavia ahora ahorita luego despues antes entre hasta desde sobre durante segun cerca lejos aqui ahi alli alla
 hoy manana ayer tarde noche dia dias semana semanas mes meses ano anos hora horas minutos tiempo vez veces lunes martes miercoles jueves viernes sabado sabados domingo domingos enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre feriado feriados
 dos tres cuatro cinco seis siete ocho nueve diez primera primero segunda bien mal bueno buena buenos buenas mejor peor nuevo nueva grande chico mayor menor
 hola gracias favor porfa porfavor disculpe disculpa perdon adios saludos claro vale
 ustedes usted yo ella ellos ellas nosotros eso esa ese esos esas esto este estos estas
 cita citas diente dientes muela muelas boca encia encias lengua labio mandibula quijada cara cordal cordales juicio caries brackets frenos frenillos ortodoncia endodoncia conducto limpieza blanqueamiento implante implantes corona coronas puente carilla carillas protesis dentadura placa sarro resina calza relleno empaste anestesia extraccion cirugia radiografia sangre sangra sangran hinchada hinchado inflamada inflamado infeccion pastilla pastillas medicamento medicamentos cepillo pasta hilo ferula retenedor alineadores sonrisa tratamiento tratamientos consulta revision valoracion urgencia urgencias emergencia
 doctora doctores dentista dentistas especialista especialistas clinica consultorio hijo hija hijos nino nina ninos ninas bebe mama papa esposo esposa hermano hermana abuela abuelo amigo amiga embarazada embarazo
 seguro seguros tarjeta efectivo cuotas descuento descuentos promocion direccion ubicacion ubicados estacionamiento telefono correo horario nombre numero datos informacion pregunta
 eres soy mierda idiota tonto estupido tienda ponen bucal miedo agua cafe comida cosa cosas casa trabajo problema cuenta edad gente persona lado parte`)

// Codes are the languages that are told apart.
var Codes = []Code{Spanish, English}

// courtesies are English words that people who write Spanish use, too: they decide nothing.
var courtesies = Set("hi hello please thanks ok okay yes sure sorry bye phone number book")

// Set are the words of a text.
func Set(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

// Code names a language.
type Code string

// The languages that are told apart.
const (
	Undecided Code = ""
	Spanish   Code = "es"
	English   Code = "en"
)

// LanguageOf is the language of plain words. Some words of English in Spanish make it no English.
func LanguageOf(list []string) Code {
	english, spanish := 0, 0
	for _, w := range list {
		switch {
		case inSpanish[w]:
			spanish++
		case inEnglish[w] && !courtesies[w]:
			english++
		}
	}
	switch {
	case english > 2*spanish:
		return English
	case spanish > 0:
		return Spanish
	}
	return Undecided
}

// Fits says that plain words may be of a language: those that decide nothing may be of any.
func Fits(list []string, language Code) bool {
	of := LanguageOf(list)
	return of == language || of == Undecided
}
